package dev.millrace.brokers.kafka;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;

/** Hands a chunk on and moves its split's offset behind it. */
final class ChunkEmitter implements RecordEmitter<PayloadChunk, PayloadChunk, KafkaPartitionSplitState> {
    private final OperatorIOMetricGroup metrics;
    private final PendingRecords pending;

    ChunkEmitter(OperatorIOMetricGroup metrics, PendingRecords pending) {
        this.metrics = metrics;
        this.pending = pending;
    }

    @Override
    public void emitRecord(PayloadChunk chunk, SourceOutput<PayloadChunk> output, KafkaPartitionSplitState split) {
        int count = chunk.count();
        output.collect(chunk);
        // The base class counts each chunk as one record; an empty one is none.
        metrics.getNumRecordsInCounter().inc(count - 1);
        if (count > 0) {
            metrics.getNumBytesInCounter().inc(chunk.end(count - 1));
            split.setCurrentOffset(chunk.lastPosition().minor() + 1);
            pending.emitted(count);
        }
    }
}
