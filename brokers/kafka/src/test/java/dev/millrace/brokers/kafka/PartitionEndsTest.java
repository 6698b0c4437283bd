package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PartitionEndsTest {
    private static final TopicPartition ONE = new TopicPartition("readings", 0);
    private static final TopicPartition OTHER = new TopicPartition("readings", 1);
    private static final List<TopicPartition> BOTH = List.of(ONE, OTHER);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>(OffsetResetStrategy.NONE);
    private final Map<TopicPartition, KafkaFutureImpl<Long>> questions = new HashMap<>();
    private long nanos;
    private boolean cannotAsk;
    private final PartitionEnds ends = new PartitionEnds(consumer, this::ask, () -> nanos);

    PartitionEndsTest() {
        consumer.assign(BOTH);
        consumer.seek(ONE, 7);
        consumer.seek(OTHER, 7);
    }

    @AfterEach
    void close() {
        consumer.close();
    }

    private Map<TopicPartition, KafkaFuture<Long>> ask(Collection<TopicPartition> partitions) {
        Map<TopicPartition, KafkaFuture<Long>> asked = new HashMap<>();
        if (cannotAsk) {
            return asked;
        }
        for (TopicPartition partition : partitions) {
            questions.put(partition, new KafkaFutureImpl<>());
            asked.put(partition, questions.get(partition));
        }
        return asked;
    }

    @Test
    @DisplayName("a partition that nobody answers for holds up no other one's answer")
    void unanswered() {
        assertThat(ends.confirmed(BOTH)).isEmpty();
        questions.get(ONE).complete(7L);
        assertThat(ends.confirmed(BOTH)).containsOnlyKeys(ONE);
        questions.get(OTHER).complete(7L);
        assertThat(ends.confirmed(BOTH)).containsOnlyKeys(OTHER);
    }

    @Test
    @DisplayName("a partition that has no leader, as the consumer knows, is not asked for until it has one")
    void leaderless() {
        Node leader = new Node(1, "broker", 9092);
        Node[] none = {};
        PartitionInfo led = new PartitionInfo(ONE.topic(), 0, leader, none, none);
        consumer.updatePartitions(ONE.topic(), List.of(led, new PartitionInfo(ONE.topic(), 1, null, none, none)));
        assertThat(ends.confirmed(BOTH)).isEmpty();
        assertThat(questions).containsOnlyKeys(ONE);
        consumer.updatePartitions(ONE.topic(), List.of(led, new PartitionInfo(ONE.topic(), 1, leader, none, none)));
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(ends.confirmed(BOTH)).isEmpty();
        assertThat(questions).containsOnlyKeys(ONE, OTHER);
    }

    @Test
    @DisplayName("a failed answer is silence, and no failure of the job")
    void failed() {
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
        questions.get(ONE).completeExceptionally(new TimeoutException("no leader"));
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
    }

    @Test
    @DisplayName(
            "a topic that brokers do not know for half a minute was deleted, and nobody waits for it; a shorter time is theirs to start")
    void deleted() {
        isMissing();
        nanos += Duration.ofSeconds(29).toNanos();
        isMissing();
        nanos += Duration.ofSeconds(2).toNanos();
        failed();
        nanos += Duration.ofSeconds(2).toNanos();
        isMissing();
        assertThat(ends.confirmed(List.of())).as("records came").isEmpty();
        nanos += Duration.ofSeconds(31).toNanos();
        isMissing();
        nanos += Duration.ofSeconds(31).toNanos();
        assertThatThrownBy(this::isMissing)
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("partition 0 of topic 'readings' is not there any more");
    }

    private void isMissing() {
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
        questions
                .get(ONE)
                .completeExceptionally(new TimeoutException("no answer", new UnknownTopicOrPartitionException()));
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
    }

    @Test
    @DisplayName("what is written and cannot be read yet lies before the end")
    void openTransaction() {
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
        questions.get(ONE).complete(9L);
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
    }

    @Test
    @DisplayName("an answer from before something was read confirms nothing")
    void overtaken() {
        assertThat(ends.confirmed(BOTH)).isEmpty();
        questions.values().forEach(question -> question.complete(7L));
        assertThat(ends.confirmed(List.of(OTHER)))
                .as("the other one had records")
                .containsOnlyKeys(OTHER);
        assertThat(ends.confirmed(BOTH)).isEmpty();
    }

    @Test
    @DisplayName("a paused partition is not confirmed")
    void paused() {
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
        questions.get(ONE).complete(7L);
        consumer.pause(List.of(ONE));
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
    }

    @Test
    @DisplayName(
            "an end is confirmed without a break, unless an answer was missed, failed or another one, or there was no leader to ask")
    void unbroken() {
        assertThat(isUnbroken(() -> {})).as("the first").isFalse();
        assertThat(isUnbroken(() -> {})).isTrue();
        assertThat(isUnbroken(() -> nanos += Duration.ofMinutes(5).toNanos()))
                .as("not asked")
                .isTrue();
        assertThat(isUnbroken(() -> {
                    ask(7L);
                    consumer.pause(List.of(ONE));
                    assertThat(ends.confirmed(List.of(ONE))).isEmpty();
                    consumer.resume(List.of(ONE));
                }))
                .as("paused")
                .isTrue();
        assertThat(isUnbroken(() -> ask(8L))).as("something is written").isFalse();
        assertThat(isUnbroken(this::failed)).isFalse();
        assertThat(isUnbroken(() -> {})).isTrue();
        assertThat(isUnbroken(() -> {
                    cannotAsk = true;
                    assertThat(ends.confirmed(List.of(ONE))).isEmpty();
                    cannotAsk = false;
                }))
                .isFalse();
        assertThat(isUnbroken(() -> {})).isTrue();
        assertThat(lateAnswer().isUnbroken()).isFalse();
        assertThat(isUnbroken(() -> {})).isTrue();
        Node[] none = {};
        assertThat(isUnbroken(() -> {
                    consumer.updatePartitions(
                            ONE.topic(), List.of(new PartitionInfo(ONE.topic(), 0, null, none, none)));
                    nanos += Duration.ofSeconds(2).toNanos();
                    assertThat(ends.confirmed(List.of(ONE))).isEmpty();
                    consumer.updatePartitions(
                            ONE.topic(),
                            List.of(new PartitionInfo(ONE.topic(), 0, new Node(1, "broker", 9092), none, none)));
                }))
                .isFalse();
    }

    private boolean isUnbroken(Runnable before) {
        nanos += Duration.ofSeconds(2).toNanos();
        before.run();
        nanos += Duration.ofSeconds(2).toNanos();
        return ask(7L).get(ONE).isUnbroken();
    }

    private Map<TopicPartition, PayloadChunk> ask(long end) {
        assertThat(ends.confirmed(List.of(ONE))).isEmpty();
        questions.get(ONE).complete(end);
        return ends.confirmed(List.of(ONE));
    }

    private PayloadChunk lateAnswer() {
        for (int second = 0; second <= 5; second++) {
            nanos += Duration.ofSeconds(1).toNanos();
            assertThat(ends.confirmed(List.of(ONE))).isEmpty();
        }
        questions.get(ONE).complete(7L);
        return ends.confirmed(List.of(ONE)).get(ONE);
    }
}
