package dev.millrace.brokers.pulsar.baseline.official;

import dev.millrace.brokers.pulsar.PulsarOptions;
import dev.millrace.connectors.api.baseline.OfficialSource;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.pulsar.source.PulsarSource;
import org.apache.flink.connector.pulsar.source.PulsarSourceBuilder;
import org.apache.flink.connector.pulsar.source.PulsarSourceOptions;
import org.apache.flink.connector.pulsar.source.enumerator.cursor.StartCursor;
import org.apache.flink.connector.pulsar.source.enumerator.cursor.StopCursor;

/**
 * The connector on the plugin's settings of client and consumer. It begins at the oldest or the newest message, at no other. A
 * bounded one ends at what was each partition's last message when its reader took it; the connector looks at its stop only when
 * a message comes, so with an empty partition it does not end.
 */
public final class OfficialPulsarSource implements OfficialSource {
    /** Messages of one hand-over to the task; no dearer than the default of 100, nor than 10,000 (figures: README). */
    private static final int FETCH_RECORDS = 1_000;
    /** A hand-over waits no longer for company; the plugin's broker waits as long. */
    private static final long FETCH_MILLIS = 50;

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public <T> Source<T, ?, ?> source(Options options, SourceSpec spec, DeserializationSchema<T> schema) {
        return builder(PulsarOptions.bind(options), spec)
                .setDeserializationSchema(schema)
                .build();
    }

    /** Short of what becomes of a message. */
    static PulsarSourceBuilder<Object> builder(PulsarOptions options, SourceSpec spec) {
        PulsarSourceBuilder<Object> builder = PulsarSource.builder()
                .setConfig(settings(options))
                .setConfig(PulsarSourceOptions.PULSAR_MAX_FETCH_RECORDS, FETCH_RECORDS)
                .setConfig(PulsarSourceOptions.PULSAR_MAX_FETCH_TIME, FETCH_MILLIS)
                .setServiceUrl(options.serviceUrl())
                .setTopics(options.topic(spec.topic()))
                .setSubscriptionName(spec.readerGroup())
                .setStartCursor(start(spec.startFrom()));
        long discovery = spec.partitionDiscovery().toMillis();
        builder.setConfig(
                PulsarSourceOptions.PULSAR_PARTITION_DISCOVERY_INTERVAL_MS,
                discovery > 0 && spec.stopAt() == StopAt.NEVER ? discovery : -1);
        return spec.stopAt() == StopAt.END ? builder.setBoundedStopCursor(StopCursor.latest()) : builder;
    }

    private static StartCursor start(StartFrom startFrom) {
        if (startFrom instanceof StartFrom.At) {
            throw new UserException("Pulsar's official connector begins at the oldest message or at the newest, not at"
                    + " a position of each partition");
        }
        return startFrom instanceof StartFrom.Latest ? StartCursor.latest() : StartCursor.earliest();
    }

    /**
     * The connector's keys are the client's names behind a prefix; of a name that it does not have it takes no notice. Its memory
     * limit is left as it is, which is what the plugin's client has: one that is set would turn the next setting on.
     */
    static Configuration settings(PulsarOptions options) {
        Configuration settings = new Configuration();
        add(
                settings,
                org.apache.flink.connector.pulsar.common.config.PulsarOptions.CLIENT_CONFIG_PREFIX,
                options.clientSettings());
        add(settings, PulsarSourceOptions.CONSUMER_CONFIG_PREFIX, options.consumerSettings());
        settings.set(PulsarSourceOptions.PULSAR_AUTO_SCALED_RECEIVER_QUEUE_SIZE_ENABLED, false);
        return settings;
    }

    private static void add(Configuration settings, String prefix, Map<String, Object> some) {
        some.forEach((name, value) -> settings.setString(
                prefix + name,
                value instanceof Set<?> words
                        ? String.join(";", words.stream().map(Object::toString).toList())
                        : value.toString()));
    }
}
