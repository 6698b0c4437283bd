package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PartitionEndsTest {
    private static final TopicPartition LED = new TopicPartition("readings", 0);
    private static final TopicPartition ORPHANED = new TopicPartition("readings", 1);

    @Test
    @DisplayName("a partition without a leader is not asked for, and holds up no other one's answer")
    void leaderless() {
        Node node = new Node(1, "here", 9092);
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE)) {
            consumer.updatePartitions(
                    "readings",
                    List.of(
                            new PartitionInfo("readings", 0, node, new Node[] {node}, new Node[] {node}),
                            new PartitionInfo("readings", 1, null, new Node[] {node}, new Node[] {node})));
            consumer.assign(List.of(LED, ORPHANED));
            consumer.seek(LED, 7);
            consumer.seek(ORPHANED, 7);
            // Of the other one no end can be had: asked for it, this consumer fails as a real one times out.
            consumer.updateEndOffsets(Map.of(LED, 7L));
            PartitionEnds ends = new PartitionEnds(consumer, Duration.ofMillis(10));
            assertThat(ends.confirmed(List.of(LED, ORPHANED))).containsExactly(LED);
        }
    }

    @Test
    @DisplayName("a client that cannot say who leads is silence, and no failure of the job")
    void unknown() {
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE) {
            @Override
            public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
                throw new TimeoutException("no metadata");
            }
        }) {
            consumer.assign(List.of(LED));
            consumer.seek(LED, 7);
            consumer.updateEndOffsets(Map.of(LED, 7L));
            assertThat(new PartitionEnds(consumer, Duration.ofMillis(10)).confirmed(List.of(LED)))
                    .isEmpty();
        }
    }
}
