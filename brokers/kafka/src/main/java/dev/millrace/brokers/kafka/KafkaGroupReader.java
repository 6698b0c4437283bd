package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.api.reader.SplitGroupReader;
import dev.millrace.core.reading.Position;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;

/** Puts a group reader together of what the source is made of. */
final class KafkaGroupReader {
    private KafkaGroupReader() {}

    /** @param from where each partition begins; those that are not named begin at their oldest record */
    static GroupReader open(
            KafkaOptions options, String topic, String readerGroup, int partitions, Map<Integer, Position> from) {
        Properties properties = options.consumerProperties();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, readerGroup);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, readerGroup + "-reader");
        Properties admin = options.adminProperties();
        admin.put(AdminClientConfig.CLIENT_ID_CONFIG, readerGroup + "-ends");
        Map<Integer, KafkaPartitionSplit> splits = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            Position position = from.get(partition);
            splits.put(
                    partition,
                    new KafkaPartitionSplit(
                            new TopicPartition(topic, partition),
                            position == null ? KafkaPartitionSplit.EARLIEST_OFFSET : position.minor()));
        }
        return new SplitGroupReader<>(
                "topic '" + topic + "' of reader group '" + readerGroup + "'",
                new KafkaChunkSplitReader(properties, admin, OffsetLag.unseen()),
                splits,
                new KafkaPositionCommitter(options, topic, readerGroup));
    }
}
