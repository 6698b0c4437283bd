package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StopAt;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;

/** What a source of the official connector is told, whoever reads: the plugin's reader, or the connector's own in a benchmark. */
public final class OfficialConnector {
    private OfficialConnector() {}

    /** Short of the deserializer and of its client's settings but for the address. */
    public static <T> KafkaSourceBuilder<T> builder(KafkaOptions options, SourceSpec spec) {
        long discovery = spec.partitionDiscovery().toMillis();
        KafkaSourceBuilder<T> builder = KafkaSource.<T>builder()
                .setBootstrapServers(options.address())
                .setGroupId(spec.readerGroup())
                .setClientIdPrefix(spec.readerGroup())
                .setTopics(spec.topic())
                .setStartingOffsets(new KafkaPositions(spec.startFrom()))
                .setProperty(
                        KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(),
                        Long.toString(discovery > 0 ? discovery : -1));
        return spec.stopAt() == StopAt.END ? builder.setBounded(new KafkaEnds()) : builder;
    }
}
