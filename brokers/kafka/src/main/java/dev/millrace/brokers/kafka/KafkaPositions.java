package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.core.reading.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the official enumerator lets each partition begin. "Latest" is settled when the split is made, not when it is first
 * read: a restart before the first reading would otherwise skip what came in between.
 */
record KafkaPositions(StartFrom startFrom) implements OffsetsInitializer {

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
            Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
        if (startFrom instanceof StartFrom.Latest) {
            return retriever.endOffsets(partitions);
        }
        Map<Integer, Position> named =
                startFrom instanceof StartFrom.At at ? at.positions() : Map.<Integer, Position>of();
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Position position = named.get(partition.partition());
            offsets.put(partition, position == null ? KafkaPartitionSplit.EARLIEST_OFFSET : position.minor());
        }
        return offsets;
    }

    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.NONE;
    }
}
