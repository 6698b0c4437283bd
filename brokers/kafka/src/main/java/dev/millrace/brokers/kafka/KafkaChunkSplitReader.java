package dev.millrace.brokers.kafka;

import dev.millrace.brokers.kafka.batch.BatchChunks;
import dev.millrace.brokers.kafka.batch.BatchConsumer;
import dev.millrace.connectors.api.reader.ChunkBatch;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls one consumer for all splits of a subtask. Everything but {@link #wakeUp} runs on the fetch thread. */
final class KafkaChunkSplitReader implements SplitReader<PayloadChunk, KafkaPartitionSplit> {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaChunkSplitReader.class);
    private static final Duration POLL_BOUND = Duration.ofMillis(200);
    private static final Duration POSITION_BOUND = Duration.ofMillis(100);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final KafkaConsumer<?, ?> consumer;
    private final OffsetLag lag;
    private final BatchChunks chunks = new BatchChunks(new ChunkPool());
    private final EndOffsets endOffsets;
    private final PartitionEnds ends;
    private final Map<TopicPartition, KafkaPartitionSplit> splits = new HashMap<>();
    /** Splits that begin at the oldest record and have read nothing yet: where that is may move before the first fetch. */
    private final Set<TopicPartition> atOldest = new HashSet<>();

    /** @param lag is closed with this */
    KafkaChunkSplitReader(Properties consumer, Properties admin, OffsetLag lag) {
        this.consumer = BatchConsumer.open(consumer);
        this.lag = lag;
        this.endOffsets = new EndOffsets(admin, IsolationLevel.READ_UNCOMMITTED);
        this.ends = new PartitionEnds(this.consumer, endOffsets, System::nanoTime);
    }

    @Override
    public void handleSplitsChanges(SplitsChange<KafkaPartitionSplit> change) {
        if (!(change instanceof SplitsAddition<KafkaPartitionSplit>)) {
            throw new UnsupportedOperationException("splits are only added: " + change);
        }
        for (KafkaPartitionSplit split : change.splits()) {
            splits.put(split.getTopicPartition(), split);
        }
        consumer.assign(splits.keySet());
        for (KafkaPartitionSplit split : change.splits()) {
            TopicPartition partition = split.getTopicPartition();
            if (split.getStartingOffset() == KafkaPartitionSplit.EARLIEST_OFFSET) {
                atOldest.add(partition);
                chunks.beginOldest(partition);
                consumer.seekToBeginning(List.of(partition));
            } else {
                chunks.begin(partition, split.getStartingOffset());
                consumer.seek(partition, split.getStartingOffset());
                lag.begin(
                        split.splitId(),
                        split.getStartingOffset(),
                        split.getStoppingOffset().orElse(Long.MAX_VALUE));
            }
        }
    }

    @Override
    public RecordsWithSplitIds<PayloadChunk> fetch() {
        ChunkBatch batch = new ChunkBatch();
        if (splits.isEmpty()) {
            return batch;
        }
        try {
            ConsumerRecords<?, ?> polled = consumer.poll(POLL_BOUND);
            Set<TopicPartition> silent = new HashSet<>(splits.keySet());
            for (TopicPartition partition : polled.partitions()) {
                add(batch, partition, polled);
                silent.remove(partition);
            }
            finish(batch);
            silent.retainAll(splits.keySet());
            ends.confirmed(silent).forEach((partition, chunk) -> batch.add(splitId(partition), chunk));
            tellLag();
        } catch (WakeupException e) {
            LOG.trace("woken up", e);
        } catch (OffsetOutOfRangeException e) {
            beginAgain(e);
        }
        return batch;
    }

    private static String splitId(TopicPartition partition) {
        return KafkaPartitionSplit.toSplitId(partition);
    }

    private void add(ChunkBatch batch, TopicPartition partition, ConsumerRecords<?, ?> polled) {
        atOldest.remove(partition);
        long stop = splits.get(partition).getStoppingOffset().orElse(Long.MAX_VALUE);
        batch.add(splitId(partition), chunks.of(partition, polled, stop));
    }

    /** Ends the splits that have reached their stop; by position, because the last offsets may hold no record. */
    private void finish(ChunkBatch batch) {
        List<TopicPartition> done = new ArrayList<>();
        for (KafkaPartitionSplit split : splits.values()) {
            if (split.getStoppingOffset().isPresent()
                    && position(split.getTopicPartition(), POSITION_BOUND)
                            >= split.getStoppingOffset().get()) {
                done.add(split.getTopicPartition());
            }
        }
        if (done.isEmpty()) {
            return;
        }
        for (TopicPartition partition : done) {
            batch.finish(splitId(partition));
            splits.remove(partition);
            atOldest.remove(partition);
            ends.forget(partition);
            lag.finished(splitId(partition));
        }
        consumer.assign(splits.keySet());
    }

    /** -1 while the broker has not told where the partition begins. */
    private long position(TopicPartition partition, Duration bound) {
        try {
            return consumer.position(partition, bound);
        } catch (TimeoutException | WakeupException e) {
            return -1;
        }
    }

    private void beginAgain(OffsetOutOfRangeException gone) {
        Set<TopicPartition> partitions = gone.offsetOutOfRangePartitions().keySet();
        if (!atOldest.containsAll(partitions)) {
            Map<TopicPartition, Long> lost = new HashMap<>(gone.offsetOutOfRangePartitions());
            lost.keySet().removeAll(atOldest);
            throw new EnvironmentException(PositionGone.sentence(lost), gone);
        }
        consumer.seekToBeginning(partitions);
    }

    /** Of paused ones the consumer knows what it knew before. A position that is being validated is not waited for. */
    private void tellLag() {
        Set<TopicPartition> paused = consumer.paused();
        splits.forEach((partition, split) -> {
            OptionalLong behind = paused.contains(partition) ? OptionalLong.empty() : consumer.currentLag(partition);
            long next = behind.isPresent() ? position(partition, Duration.ZERO) : -1;
            if (next >= 0) {
                long stop = split.getStoppingOffset().orElse(Long.MAX_VALUE);
                lag.tell(splitId(partition), next, next + behind.getAsLong(), stop);
            }
        });
    }

    @Override
    public void pauseOrResumeSplits(Collection<KafkaPartitionSplit> toPause, Collection<KafkaPartitionSplit> toResume) {
        consumer.pause(assigned(toPause));
        consumer.resume(assigned(toResume));
    }

    private List<TopicPartition> assigned(Collection<KafkaPartitionSplit> some) {
        return some.stream()
                .map(KafkaPartitionSplit::getTopicPartition)
                .filter(splits::containsKey)
                .toList();
    }

    @Override
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        try (lag;
                endOffsets) {
            consumer.close(CLOSE_BOUND);
        }
    }
}
