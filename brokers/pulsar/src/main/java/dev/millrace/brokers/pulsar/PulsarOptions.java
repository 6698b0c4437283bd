package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.PluginOptions;
import dev.millrace.core.settings.Options;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;
import org.apache.pulsar.client.impl.conf.ConsumerConfigurationData;
import org.apache.pulsar.client.impl.conf.ProducerConfigurationData;

/**
 * The plugin's options, bound and checked.
 *
 * @param address {@code HOST:PORT} of the binary protocol, several separated by commas; empty where only a local server is
 *     started
 * @param admin {@code http://HOST:PORT} or {@code https://HOST:PORT} of the administration
 * @param bookie {@code http://HOST:PORT} of a bookie's own administration, asked for what it does about fsync; may be empty
 * @param namespace {@code TENANT/NAMESPACE} of every topic
 * @param port of the local server, 0 for the first free one from 6650 on
 * @param inner a second port of the local server
 * @param memoryBytes a bound for the local server's process
 * @param client what the tuning profile and {@code client.*} say, by the client's own names
 * @param producer the same with {@code producer.*}
 * @param consumer the same with {@code consumer.*}
 * @param server the tuning profile's settings of a server and {@code server.*}; holds for one that is started here
 */
public record PulsarOptions(
        String address,
        String admin,
        String bookie,
        String namespace,
        int port,
        PluginOptions.Inner inner,
        long memoryBytes,
        Compression compression,
        Tuning tuning,
        Map<String, String> client,
        Map<String, String> producer,
        Map<String, String> consumer,
        Map<String, String> server)
        implements Serializable {

    static final int WELL_KNOWN_PORT = 6650;
    static final int WELL_KNOWN_ADMIN_PORT = 8080;
    static final int WELL_KNOWN_TLS_ADMIN_PORT = 8443;
    static final long LEAST_MEMORY_BYTES = 768L << 20;

    /** Ours, because the plugin's promises stand on them. */
    private static final Set<String> FIXED_CLIENT = Set.of("serviceUrl", "enableTransaction", "memoryLimitBytes");

    private static final Set<String> FIXED_PRODUCER = Set.of(
            "accessMode",
            "blockIfQueueFull",
            "chunkingEnabled",
            "compressionType",
            "hashingScheme",
            "initialSequenceId",
            "initialSubscriptionName",
            "lazyStartPartitionedProducers",
            "messageRoutingMode",
            "multiSchema",
            "producerName",
            "sendTimeoutMs",
            "topicName");

    private static final Set<String> FIXED_CONSUMER = Set.of(
            "autoScaledReceiverQueueSizeEnabled",
            "batchIndexAckEnabled",
            "cryptoFailureAction",
            "poolMessages",
            "readCompacted",
            "resetIncludeHead",
            "retryEnable",
            "startPaused",
            "subscriptionInitialPosition",
            "subscriptionMode",
            "subscriptionName",
            "subscriptionType",
            "topicNames");

    /** Codecs by Pulsar's own names. */
    public enum Compression {
        NONE,
        LZ4,
        ZLIB,
        ZSTD,
        SNAPPY
    }

    /** A file of that name in {@code tuning/}. */
    public enum Tuning {
        LATENCY,
        THROUGHPUT,
        DURABLE
    }

    /** For everything that talks to a broker. */
    public static PulsarOptions bind(Options options) {
        return options.bind("broker 'pulsar'", binder -> read(options, binder, true));
    }

    /** For starting one. */
    static PulsarOptions bindLocal(Options options) {
        return options.bind("broker 'pulsar'", binder -> read(options, binder, false));
    }

    private static PulsarOptions read(Options options, Options.Binder binder, boolean connecting) {
        String address = PluginOptions.address(binder, connecting, WELL_KNOWN_PORT);
        long memory = binder.bytes("memory", 1536L << 20);
        if (memory < LEAST_MEMORY_BYTES) {
            binder.problem("'memory' is '" + options.get("memory").orElse("") + "'; a server needs at least 768MiB");
        }
        Tuning tuning = binder.oneOf("tuning", Tuning.THROUGHPUT, Tuning.class);
        Options profile = profile(tuning);
        String admin = admin(
                binder, address, "true".equals(options.get("client.useTls").orElse("")));
        Map<String, String> client =
                settings(options, binder, profile, "client.", ClientConfigurationData.class, FIXED_CLIENT);
        refuseStores(binder, admin, client);
        return new PulsarOptions(
                address,
                admin,
                bookie(binder),
                namespace(binder),
                (int) binder.integer("port", 0, 1, 65535),
                PluginOptions.inner(binder),
                memory,
                binder.oneOf("compression", Compression.LZ4, Compression.class),
                tuning,
                client,
                settings(options, binder, profile, "producer.", ProducerConfigurationData.class, FIXED_PRODUCER),
                settings(options, binder, profile, "consumer.", ConsumerConfigurationData.class, FIXED_CONSUMER),
                server(options, binder, profile));
    }

    private static String admin(Options.Binder binder, String address, boolean tls) {
        String first = address.split(",", -1)[0];
        String host = first.contains(":") ? first.substring(0, first.lastIndexOf(':')) : "127.0.0.1";
        String usual = tls
                ? "https://" + host + ":" + WELL_KNOWN_TLS_ADMIN_PORT
                : "http://" + host + ":" + WELL_KNOWN_ADMIN_PORT;
        return url(binder, "admin", binder.string("admin", usual));
    }

    /** The client knows keys and certificates in stores, too; the administration is asked with PEM files alone. */
    private static void refuseStores(Options.Binder binder, String admin, Map<String, String> client) {
        boolean hasStores = "true".equals(client.get("useKeyStoreTls")) || client.containsKey("tlsTrustStorePath");
        if (hasStores && admin.startsWith("https:")) {
            binder.problem("'client.useKeyStoreTls' and 'client.tlsTrustStorePath' do not hold for the administration"
                    + " at " + admin + "; leave them out and name PEM files: client.tlsTrustCertsFilePath, and where a"
                    + " certificate is the login client.authParams=tlsCertFile:FILE,tlsKeyFile:FILE");
        }
    }

    private static String bookie(Options.Binder binder) {
        String bookie = binder.string("bookie", "");
        if (!bookie.isEmpty()) {
            return url(binder, "bookie", bookie);
        }
        return bookie;
    }

    private static String url(Options.Binder binder, String key, String url) {
        if (!url.matches("https?://(\\[[0-9a-fA-F:]+\\]|[A-Za-z0-9._-]+):\\d{1,5}/?")) {
            binder.problem("'" + key + "' is '" + url + "'; it must be http://HOST:PORT or https://HOST:PORT, such as"
                    + " http://127.0.0.1:" + WELL_KNOWN_ADMIN_PORT);
        }
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static String namespace(Options.Binder binder) {
        String namespace = binder.string("namespace", "public/default");
        if (!namespace.matches("[A-Za-z0-9._=:-]+/[A-Za-z0-9._=:-]+")) {
            binder.problem("'namespace' is '" + namespace + "'; it must be TENANT/NAMESPACE, such as public/default");
        }
        return namespace;
    }

    private static Map<String, String> settings(
            Options options, Options.Binder binder, Options profile, String prefix, Class<?> type, Set<String> fixed) {
        Map<String, String> settings = new HashMap<>(profile.under(prefix).asMap());
        settings.putAll(PluginOptions.passedOn(
                options,
                binder,
                prefix,
                "Pulsar's " + prefix.replace(".", ""),
                ClientSettings.names(type),
                fixed,
                (key, value) -> ClientSettings.problem(type, key, value)));
        return settings;
    }

    /** A server's settings are checked by the server itself, which is not on this class path. */
    private static Map<String, String> server(Options options, Options.Binder binder, Options profile) {
        Map<String, String> settings = new HashMap<>(profile.under("server.").asMap());
        options.under("server.").asMap().forEach((key, value) -> {
            settings.put(key, binder.string("server." + key, value));
            if (LocalPulsarFiles.FIXED.contains(key)) {
                binder.problem("'server." + key + "' is the plugin's own to set; leave it out");
            }
        });
        return settings;
    }

    /** The profile's keys and values, as they stand in its file. */
    static Options profile(Tuning tuning) {
        return PluginOptions.profile(PulsarOptions.class, tuning);
    }

    /** {@code pulsar://ADDRESS}, with TLS {@code pulsar+ssl://ADDRESS}. */
    public String serviceUrl() {
        return ("true".equals(client.get("useTls")) ? "pulsar+ssl://" : "pulsar://") + address;
    }

    /** {@code persistent://TENANT/NAMESPACE/TOPIC}. */
    public String topic(String name) {
        return "persistent://" + namespace + "/" + name;
    }

    /** The topic that a partition is. */
    public String partition(String topic, int partition) {
        return topic(topic) + "-partition-" + partition;
    }

    /** Settings of every client, typed as the client wants them. */
    public Map<String, Object> clientSettings() {
        Map<String, Object> settings = ClientSettings.typed(ClientConfigurationData.class, client);
        settings.putIfAbsent("operationTimeoutMs", PulsarClients.BOUND_SECONDS * 1000L);
        settings.putIfAbsent("lookupTimeoutMs", PulsarClients.BOUND_SECONDS * 1000L);
        settings.putIfAbsent("connectionTimeoutMs", 5_000);
        // Its own lines of statistics in the log, one for each producer and minute.
        settings.putIfAbsent("statsIntervalSeconds", 0L);
        return settings;
    }

    Map<String, Object> producerSettings() {
        return ClientSettings.typed(ProducerConfigurationData.class, producer);
    }

    /** How many messages a reader without a subscription may have received and not read. */
    int receiverQueueSize() {
        return (Integer) consumerSettings().getOrDefault("receiverQueueSize", 1000);
    }

    public Map<String, Object> consumerSettings() {
        return ClientSettings.typed(ConsumerConfigurationData.class, consumer);
    }
}
