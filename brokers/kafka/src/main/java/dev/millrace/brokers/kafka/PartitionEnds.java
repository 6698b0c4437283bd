package dev.millrace.brokers.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks the broker whether a silent partition is really read to its end. No answer is no confirmation: the silence of a dead
 * broker must not look like idleness. Lives on the fetch thread.
 */
final class PartitionEnds {
    private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration ASK_BOUND = Duration.ofMillis(500);
    /** A broker that does not answer is not asked all the time: other partitions' leaders may be alive. */
    private static final long AFTER_SILENCE_NANOS = Duration.ofSeconds(3).toNanos();

    private final Consumer<?, ?> consumer;
    private final Map<TopicPartition, Long> lastNanos = new HashMap<>();
    private long notBeforeNanos = System.nanoTime();

    PartitionEnds(Consumer<?, ?> consumer) {
        this.consumer = consumer;
    }

    void watch(TopicPartition partition) {
        lastNanos.put(partition, System.nanoTime());
    }

    void seen(TopicPartition partition) {
        lastNanos.put(partition, System.nanoTime());
    }

    void forget(TopicPartition partition) {
        lastNanos.remove(partition);
    }

    /** Those that brought nothing for a second and are, as the broker has just said, read to the end. */
    List<TopicPartition> confirmed(Set<TopicPartition> partitions) {
        long now = System.nanoTime();
        List<TopicPartition> silent = new ArrayList<>();
        if (now - notBeforeNanos < 0) {
            return silent;
        }
        Set<TopicPartition> paused = consumer.paused();
        for (TopicPartition partition : partitions) {
            if (!paused.contains(partition) && now - lastNanos.getOrDefault(partition, now) >= SILENCE_NANOS) {
                silent.add(partition);
            }
        }
        return silent.isEmpty() ? silent : ask(silent, now);
    }

    private List<TopicPartition> ask(Collection<TopicPartition> silent, long now) {
        List<TopicPartition> atEnd = new ArrayList<>();
        try {
            Map<TopicPartition, Long> ends = consumer.endOffsets(silent, ASK_BOUND);
            for (TopicPartition partition : silent) {
                lastNanos.put(partition, now);
                Long end = ends.get(partition);
                if (end != null && consumer.position(partition, ASK_BOUND) >= end) {
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
