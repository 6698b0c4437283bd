package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.reader.EndConfirmations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks the broker whether a silent partition is really read to its end, once a second. No answer is no confirmation: the
 * silence of a dead broker must not look like idleness. Lives on the fetch thread.
 */
final class PartitionEnds {
    private static final Duration ANSWER_BOUND = Duration.ofMillis(500);
    /** A broker that does not answer is not asked all the time: other partitions' leaders may be alive. */
    private static final long AFTER_SILENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private final Consumer<?, ?> consumer;
    private final EndConfirmations confirmations = new EndConfirmations();
    private final Duration askBound;
    private long notBeforeNanos = System.nanoTime();

    /** @param fetchWait how long the broker holds a fetch back that finds nothing: on the same connection it answers that first */
    PartitionEnds(Consumer<?, ?> consumer, Duration fetchWait) {
        this.consumer = consumer;
        this.askBound = ANSWER_BOUND.plus(fetchWait);
    }

    void forget(TopicPartition partition) {
        confirmations.forget(KafkaPartitionSplit.toSplitId(partition));
    }

    /** Those of {@code partitions} that are, as the broker has just said, read to the end. */
    List<TopicPartition> confirmed(Collection<TopicPartition> partitions) {
        List<TopicPartition> silent = new ArrayList<>();
        if (System.nanoTime() - notBeforeNanos < 0) {
            return silent;
        }
        Set<TopicPartition> paused = consumer.paused();
        for (TopicPartition partition : partitions) {
            if (!paused.contains(partition) && confirmations.due(KafkaPartitionSplit.toSplitId(partition))) {
                silent.add(partition);
            }
        }
        return silent.isEmpty() ? silent : ask(silent);
    }

    /** As the client last heard: one question about a partition that has none waits, and all others with it. */
    private List<TopicPartition> withLeader(List<TopicPartition> asked) {
        Set<TopicPartition> leaderless = new HashSet<>();
        for (PartitionInfo known : consumer.partitionsFor(asked.get(0).topic(), askBound)) {
            if (known.leader() == null || known.leader().isEmpty()) {
                leaderless.add(new TopicPartition(known.topic(), known.partition()));
            }
        }
        return asked.stream().filter(one -> !leaderless.contains(one)).toList();
    }

    private List<TopicPartition> ask(List<TopicPartition> silent) {
        List<TopicPartition> atEnd = new ArrayList<>();
        try {
            List<TopicPartition> led = withLeader(silent);
            Map<TopicPartition, Long> ends = led.isEmpty() ? Map.of() : consumer.endOffsets(led, askBound);
            for (TopicPartition partition : led) {
                Long end = ends.get(partition);
                if (end != null && consumer.position(partition, askBound) >= end) {
                    atEnd.add(partition);
                }
            }
        } catch (KafkaException e) {
            // A time-out, a wake-up, or a leader that is just moving: whoever was confirmed before it stays so.
            notBeforeNanos = System.nanoTime() + AFTER_SILENCE_NANOS;
        }
        return atEnd;
    }
}
