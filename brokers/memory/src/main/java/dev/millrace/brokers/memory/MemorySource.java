package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.reader.ChunkReader;
import dev.millrace.connectors.api.reader.PendingRecords;
import dev.millrace.core.reading.PayloadChunk;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The source: one split for each partition. */
final class MemorySource implements Source<PayloadChunk, MemorySplit, MemoryEnumeratorState> {
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
    public SourceReader<PayloadChunk, MemorySplit> createReader(SourceReaderContext context) {
        PendingRecords pending = new PendingRecords();
        return new ChunkReader<>(
                () -> new MemorySplitReader(options.address(), spec.topic(), pending),
                MemorySplit::behind,
                new MemoryCommitter(options.address(), spec.topic(), spec.readerGroup()),
                pending,
                context);
    }

    @Override
    public SplitEnumerator<MemorySplit, MemoryEnumeratorState> createEnumerator(
            SplitEnumeratorContext<MemorySplit> context) {
        return restoreEnumerator(context, new MemoryEnumeratorState(0, List.of()));
    }

    @Override
    public SplitEnumerator<MemorySplit, MemoryEnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<MemorySplit> context, MemoryEnumeratorState state) {
        return new MemoryEnumerator(context, options, spec, state);
    }

    @Override
    public SimpleVersionedSerializer<MemorySplit> getSplitSerializer() {
        return new MemorySplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<MemoryEnumeratorState> getEnumeratorCheckpointSerializer() {
        return new MemoryEnumeratorState.Serializer();
    }
}
