package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.PluginOptions;
import dev.millrace.core.settings.Options;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The plugin's options, bound and checked.
 *
 * @param address {@code HOST:PORT}, several separated by commas; empty where only a local server is started
 * @param port of the local server, 0 for the first free one from 9092 on
 * @param inner a second port of the local server
 * @param memoryBytes a bound for the local server's process
 * @param producer what the tuning profile and {@code client.*}, {@code producer.*} say, by Kafka's own names
 * @param consumer the same with {@code consumer.*}
 * @param admin {@code client.*}
 * @param server the tuning profile's settings of a server; holds for one that is started here
 */
public record KafkaOptions(
        String address,
        int port,
        PluginOptions.Inner inner,
        long memoryBytes,
        Compression compression,
        Tuning tuning,
        Map<String, String> producer,
        Map<String, String> consumer,
        Map<String, String> admin,
        Map<String, String> server)
        implements Serializable {

    static final long LEAST_MEMORY_BYTES = 400L << 20;

    /** Ours, because the plugin's promises or its way of reading stand on them. */
    private static final Set<String> FIXED_PRODUCER = Set.of(
            "bootstrap.servers",
            "acks",
            "client.id",
            "compression.type",
            "delivery.timeout.ms",
            "enable.idempotence",
            "key.serializer",
            "value.serializer",
            "max.block.ms",
            "retries",
            "transactional.id");

    private static final Set<String> FIXED_CONSUMER = Set.of(
            "bootstrap.servers",
            "auto.offset.reset",
            "client.id",
            "enable.auto.commit",
            "group.id",
            "group.protocol",
            "isolation.level",
            "key.deserializer",
            "max.poll.records",
            "value.deserializer");

    private static final Set<String> FIXED_ADMIN = Set.of("bootstrap.servers", "client.id");

    /** Codecs by Kafka's own names. */
    public enum Compression {
        NONE,
        LZ4,
        ZSTD,
        SNAPPY,
        GZIP;

        String codec() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A file of that name in {@code tuning/}. */
    public enum Tuning {
        LATENCY,
        THROUGHPUT,
        DURABLE
    }

    /** For everything that talks to a broker. */
    public static KafkaOptions bind(Options options) {
        return options.bind("broker 'kafka'", binder -> read(options, binder, true));
    }

    /** For starting one. */
    static KafkaOptions bindLocal(Options options) {
        return options.bind("broker 'kafka'", binder -> read(options, binder, false));
    }

    private static KafkaOptions read(Options options, Options.Binder binder, boolean connecting) {
        String address = PluginOptions.address(binder, connecting, 9092);
        long memory = binder.bytes("memory", 1L << 30);
        if (memory < LEAST_MEMORY_BYTES) {
            binder.problem("'memory' is '" + options.get("memory").orElse("") + "'; a server needs at least 400MiB");
        }
        Tuning tuning = binder.oneOf("tuning", Tuning.THROUGHPUT, Tuning.class);
        Compression compression = binder.oneOf("compression", Compression.LZ4, Compression.class);
        Options profile = profile(tuning);
        Map<String, String> admin = passedOn(options, binder, "client.", AdminClientConfig.configDef(), FIXED_ADMIN);
        Map<String, String> producer = new HashMap<>(profile.under("producer.").asMap());
        producer.putAll(admin);
        producer.putAll(passedOn(options, binder, "producer.", ProducerConfig.configDef(), FIXED_PRODUCER));
        Map<String, String> consumer = new HashMap<>(profile.under("consumer.").asMap());
        consumer.putAll(admin);
        consumer.putAll(passedOn(options, binder, "consumer.", ConsumerConfig.configDef(), FIXED_CONSUMER));
        return new KafkaOptions(
                address,
                (int) binder.integer("port", 0, 1, 65535),
                PluginOptions.inner(binder),
                memory,
                compression,
                tuning,
                producer,
                consumer,
                admin,
                new HashMap<>(profile.under("server.").asMap()));
    }

    private static Map<String, String> passedOn(
            Options options, Options.Binder binder, String prefix, ConfigDef definition, Set<String> fixed) {
        return PluginOptions.passedOn(
                options,
                binder,
                prefix,
                "Kafka's " + prefix.replace(".", ""),
                definition.names(),
                fixed,
                (key, value) -> parse(definition, key, value));
    }

    /** What Kafka's own definition has against the value. */
    private static Optional<String> parse(ConfigDef definition, String key, String value) {
        try {
            ConfigDef.ConfigKey known = definition.configKeys().get(key);
            Object parsed = ConfigDef.parseType(key, value, known.type);
            if (known.validator != null) {
                known.validator.ensureValid(key, parsed);
            }
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** The profile's keys and values, as they stand in its file. */
    static Options profile(Tuning tuning) {
        return PluginOptions.profile(KafkaOptions.class, tuning);
    }

    /** Settings of a consumer of bytes; the caller adds a group where it wants one. */
    public Properties consumerProperties() {
        Properties properties = new Properties();
        properties.putAll(consumer);
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address);
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // A position that is gone is an error with a sentence, never a silent jump.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, "false");
        return properties;
    }

    /** Settings of a producer that is idempotent and waits an outage out. */
    public Properties producerProperties() {
        Properties properties = new Properties();
        properties.putAll(producer);
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address);
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression.codec());
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE));
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.toString(Integer.MAX_VALUE));
        properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, "false");
        return properties;
    }

    Properties adminProperties() {
        Properties properties = new Properties();
        properties.putAll(admin);
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address);
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "30000");
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
        return properties;
    }
}
