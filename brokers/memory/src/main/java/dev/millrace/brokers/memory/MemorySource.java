package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.reader.ChunkReader;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.api.reader.PartitionEnumerator;
import dev.millrace.connectors.api.reader.PartitionEnumeratorState;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.connectors.api.reader.PartitionSplitSerializer;
import dev.millrace.connectors.api.reader.PendingRecords;
import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The source: one split for each partition. */
final class MemorySource implements Source<PayloadChunk, PartitionSplit, PartitionEnumeratorState> {
    private final MemoryOptions options;
    private final SourceSpec spec;

    MemorySource(MemoryOptions options, SourceSpec spec) {
        this.options = options;
        this.spec = spec;
    }

    @Override
    public Boundedness getBoundedness() {
        return spec.stopAt() == StopAt.END ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<PayloadChunk, PartitionSplit> createReader(SourceReaderContext context) {
        PendingRecords pending = new PendingRecords();
        return new ChunkReader<>(
                spec.topic(),
                PartitionSplit::topic,
                () -> new MemorySplitReader(
                        options.address(),
                        spec.topic(),
                        new OffsetLag(
                                pending, new MemoryEnds(options.address(), spec.topic()), context.getIndexOfSubtask())),
                PartitionSplit::behind,
                new MemoryCommitter(options.address(), spec.topic(), spec.readerGroup()),
                pending,
                context);
    }

    @Override
    public SplitEnumerator<PartitionSplit, PartitionEnumeratorState> createEnumerator(
            SplitEnumeratorContext<PartitionSplit> context) {
        return restoreEnumerator(context, PartitionEnumeratorState.nothingKnown());
    }

    @Override
    public SplitEnumerator<PartitionSplit, PartitionEnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<PartitionSplit> context, PartitionEnumeratorState state) {
        return new PartitionEnumerator(context, new MemoryLookup(options.address(), spec.topic()), spec, state);
    }

    @Override
    public SimpleVersionedSerializer<PartitionSplit> getSplitSerializer() {
        return new PartitionSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<PartitionEnumeratorState> getEnumeratorCheckpointSerializer() {
        return new PartitionEnumeratorState.Serializer();
    }
}
