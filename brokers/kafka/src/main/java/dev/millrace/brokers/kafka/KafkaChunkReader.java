package dev.millrace.brokers.kafka;

import dev.millrace.core.reading.PayloadChunk;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * One subtask's reader: all its partitions on one consumer and one fetch thread; emits whole chunks. A split's checkpointed
 * offset is the one behind the last emitted chunk; on a completed checkpoint it is committed to the reader group, for lag
 * and for people, never for recovery.
 */
@SuppressWarnings("try") // The base class's close() may throw InterruptedException.
final class KafkaChunkReader
        extends SingleThreadMultiplexSourceReaderBase<
                PayloadChunk, PayloadChunk, KafkaPartitionSplit, KafkaPartitionSplitState> {

    private final ChunkFetcherManager fetchers;
    private final TreeMap<Long, Map<TopicPartition, OffsetAndMetadata>> byCheckpoint = new TreeMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> finished = new HashMap<>();

    private KafkaChunkReader(ChunkFetcherManager fetchers, ChunkEmitter emitter, SourceReaderContext context) {
        super(fetchers, emitter, context.getConfiguration(), context);
        this.fetchers = fetchers;
    }

    static KafkaChunkReader of(Properties consumer, SourceReaderContext context) {
        PendingRecords pending = new PendingRecords();
        context.metricGroup().setPendingRecordsGauge(pending::total);
        ChunkFetcherManager fetchers =
                new ChunkFetcherManager(() -> new KafkaChunkSplitReader(consumer, pending), context.getConfiguration());
        ChunkEmitter emitter = new ChunkEmitter(context.metricGroup().getIOMetricGroup(), pending);
        return new KafkaChunkReader(fetchers, emitter, context);
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
        List<KafkaPartitionSplit> splits = super.snapshotState(checkpointId);
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(finished);
        for (KafkaPartitionSplit split : splits) {
            // Markers such as "earliest" are below zero: nothing was read yet.
            if (split.getStartingOffset() >= 0) {
                offsets.put(split.getTopicPartition(), new OffsetAndMetadata(split.getStartingOffset()));
            }
        }
        byCheckpoint.put(checkpointId, offsets);
        return splits;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        Map<TopicPartition, OffsetAndMetadata> offsets = byCheckpoint.get(checkpointId);
        byCheckpoint.headMap(checkpointId, true).clear();
        if (offsets != null && !offsets.isEmpty()) {
            fetchers.commit(offsets);
        }
    }

    @Override
    protected void onSplitFinished(Map<String, KafkaPartitionSplitState> finishedSplits) {
        finishedSplits.values().forEach(state -> {
            if (state.getCurrentOffset() >= 0) {
                finished.put(state.getTopicPartition(), new OffsetAndMetadata(state.getCurrentOffset()));
            }
        });
    }

    @Override
    protected KafkaPartitionSplitState initializedState(KafkaPartitionSplit split) {
        return new KafkaPartitionSplitState(split);
    }

    @Override
    protected KafkaPartitionSplit toSplitType(String splitId, KafkaPartitionSplitState state) {
        return state.toKafkaPartitionSplit();
    }
}
