package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.reader.EndConfirmations;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Asks the broker whether a silent partition is really read to its end, once a second; reading goes on meanwhile, and whoever calls
 * next takes the answer. An end is the high watermark: what an open transaction has written cannot be read yet, but it comes, and a
 * partition that was taken for idle until then would have it come late. No answer is no confirmation: the silence of a dead broker must
 * not look like idleness. Lives on the fetch thread.
 */
final class PartitionEnds {
    private static final Duration POSITION_BOUND = Duration.ofMillis(100);

    private final Consumer<?, ?> consumer;
    private final Function<Collection<TopicPartition>, Map<TopicPartition, KafkaFuture<Long>>> endOffsets;
    private final EndConfirmations confirmations;
    private final Map<TopicPartition, KafkaFuture<Long>> asked = new HashMap<>();
    private final LongSupplier nanos;
    private final Map<TopicPartition, Long> missingSinceNanos = new HashMap<>();

    /**
     * @param endOffsets asks for the high watermark of each, without waiting; what it answers must end some time, and of what it cannot
     *     ask for it gives nothing
     * @param nanos as {@link System#nanoTime}
     */
    PartitionEnds(
            Consumer<?, ?> consumer,
            Function<Collection<TopicPartition>, Map<TopicPartition, KafkaFuture<Long>>> endOffsets,
            LongSupplier nanos) {
        this.consumer = consumer;
        this.endOffsets = endOffsets;
        this.nanos = nanos;
        this.confirmations = new EndConfirmations(nanos);
    }

    void forget(TopicPartition partition) {
        confirmations.forget(KafkaPartitionSplit.toSplitId(partition));
        asked.remove(partition);
        missingSinceNanos.remove(partition);
    }

    /**
     * A chunk that says so for those of {@code partitions}, which gave nothing just now, that are read to the end, as the broker has
     * said since they are silent. Fails when brokers have said for long that there is no such topic: the client would wait for it for ever.
     */
    Map<TopicPartition, PayloadChunk> confirmed(Collection<TopicPartition> partitions) {
        List<TopicPartition> silent = new ArrayList<>(partitions);
        silent.removeAll(consumer.paused());
        // An answer from before there was something to read is about another end.
        asked.keySet().retainAll(silent);
        missingSinceNanos.keySet().retainAll(silent);
        Map<TopicPartition, PayloadChunk> atEnd = new HashMap<>();
        List<TopicPartition> due = new ArrayList<>();
        for (TopicPartition partition : silent) {
            String splitId = KafkaPartitionSplit.toSplitId(partition);
            KafkaFuture<Long> answer = asked.get(partition);
            if (answer == null) {
                if (confirmations.due(splitId)) {
                    due.add(partition);
                }
            } else if (answer.isDone()) {
                asked.remove(partition);
                if (isAtEnd(partition, answer)) {
                    atEnd.put(partition, confirmations.confirmed(splitId, partition.partition()));
                }
            } else {
                confirmations.unanswered(splitId);
            }
        }
        if (!due.isEmpty()) {
            ask(due);
        }
        return atEnd;
    }

    /** Of whom nobody can be asked just now is as good as asked in vain. */
    private void ask(List<TopicPartition> due) {
        Set<TopicPartition> withoutLeader = withoutLeader(due.get(0).topic());
        List<TopicPartition> led =
                due.stream().filter(one -> !withoutLeader.contains(one)).toList();
        if (!led.isEmpty()) {
            asked.putAll(endOffsets.apply(led));
        }
        due.stream().filter(one -> !asked.containsKey(one)).forEach(this::denied);
    }

    private void denied(TopicPartition partition) {
        confirmations.denied(KafkaPartitionSplit.toSplitId(partition));
    }

    /**
     * By what the consumer knows, which looks for the leader with a pause between: an admin client that is asked for such a partition asks
     * brokers thousands of times a second who leads it (its look-up has no pause, kafka-clients 3.9), just when some of them are away.
     */
    private Set<TopicPartition> withoutLeader(String topic) {
        try {
            List<PartitionInfo> known = consumer.partitionsFor(topic, POSITION_BOUND);
            return known == null
                    ? Set.of()
                    : known.stream()
                            .filter(one -> one.leader() == null || one.leader().isEmpty())
                            .map(one -> new TopicPartition(topic, one.partition()))
                            .collect(Collectors.toSet());
        } catch (KafkaException e) {
            // A wake-up, or a topic that is not known: whether it is there at all, the answer says.
            return Set.of();
        }
    }

    private boolean isAtEnd(TopicPartition partition, KafkaFuture<Long> answer) {
        if (answer.isCompletedExceptionally()) {
            denied(partition);
            requireThere(partition, answer);
            return false;
        }
        missingSinceNanos.remove(partition);
        try {
            if (consumer.position(partition, POSITION_BOUND) >= answer.getNow(Long.MAX_VALUE)) {
                return true;
            }
            denied(partition);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | KafkaException e) {
            // A wake-up, or a position that is not known yet: it is asked again.
            return false;
        }
    }

    private void requireThere(TopicPartition partition, KafkaFuture<Long> answer) {
        if (!isMissing(answer)) {
            missingSinceNanos.remove(partition);
            return;
        }
        long since = missingSinceNanos.computeIfAbsent(partition, key -> nanos.getAsLong());
        if (nanos.getAsLong() - since > KafkaCalls.MISSING_BOUND.toNanos()) {
            throw new EnvironmentException("partition " + partition.partition() + " of topic '" + partition.topic()
                    + "' is not there any more, and what was not read of it cannot be read: the topic was deleted");
        }
    }

    private static boolean isMissing(KafkaFuture<Long> answer) {
        try {
            answer.getNow(0L);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            return ExceptionUtils.findThrowable(e, UnknownTopicOrPartitionException.class)
                    .isPresent();
        }
    }
}
