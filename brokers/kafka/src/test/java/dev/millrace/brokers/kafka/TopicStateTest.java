package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.util.Set;
import org.apache.flink.connector.kafka.source.enumerator.AssignmentStatus;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumStateSerializer;
import org.apache.flink.connector.kafka.source.enumerator.TopicPartitionAndAssignmentStatus;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicStateTest {
    private static final KafkaSourceEnumStateSerializer OFFICIAL = new KafkaSourceEnumStateSerializer();
    private static final TopicState.Serializer SERIALIZER = new TopicState.Serializer(OFFICIAL);
    private static final TopicPartition PARTITION = new TopicPartition("readings", 3);
    private static final Set<TopicPartitionAndAssignmentStatus> PARTITIONS =
            Set.of(new TopicPartitionAndAssignmentStatus(PARTITION, AssignmentStatus.ASSIGNED));

    @Test
    @DisplayName("what was written is read, the topic's id and the official state")
    void roundTrip() throws IOException {
        TopicState state = new TopicState(new KafkaSourceEnumState(PARTITIONS, true), Uuid.randomUuid());
        TopicState read = SERIALIZER.deserialize(SERIALIZER.getVersion(), SERIALIZER.serialize(state));
        assertThat(read.topicId()).isEqualTo(state.topicId());
        assertThat(read.official().partitions())
                .extracting(
                        TopicPartitionAndAssignmentStatus::topicPartition,
                        TopicPartitionAndAssignmentStatus::assignmentStatus)
                .containsExactly(tuple(PARTITION, AssignmentStatus.ASSIGNED));
        assertThat(read.official().initialDiscoveryFinished()).isTrue();
    }

    @Test
    @DisplayName("a checkpoint from before there were ids is read, without one")
    void official() throws IOException {
        byte[] before = OFFICIAL.serialize(new KafkaSourceEnumState(PARTITIONS, true));
        TopicState read = SERIALIZER.deserialize(OFFICIAL.getVersion(), before);
        assertThat(read.topicId()).isEqualTo(Uuid.ZERO_UUID);
        assertThat(read.official().partitions())
                .extracting(
                        TopicPartitionAndAssignmentStatus::topicPartition,
                        TopicPartitionAndAssignmentStatus::assignmentStatus)
                .containsExactly(tuple(PARTITION, AssignmentStatus.ASSIGNED));
    }

    @Test
    @DisplayName("a newer build's state is refused")
    void newer() {
        assertThatThrownBy(() -> SERIALIZER.deserialize(SERIALIZER.getVersion() + 1, new byte[40]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is newer than this build");
    }
}
