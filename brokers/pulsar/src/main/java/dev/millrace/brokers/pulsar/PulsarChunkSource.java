package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.reader.ChunkReader;
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

/** A source of chunks: whole entries, one consumer for each partition, on a durable subscription. */
final class PulsarChunkSource implements Source<PayloadChunk, PartitionSplit, PartitionEnumeratorState> {
    private static final String MOST_MESSAGES_AHEAD = "40000";

    private final PulsarOptions options;
    private final SourceSpec spec;

    PulsarChunkSource(PulsarOptions options, SourceSpec spec) {
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
        PendingWatch watch = new PendingWatch(options, spec.readerGroup(), pending, context.getIndexOfSubtask());
        ReaderGroup group = new ReaderGroup(options, spec.topic(), spec.readerGroup(), watch);
        GroupCursor cursor = new GroupCursor(options, spec.topic(), spec.readerGroup());
        return new ChunkReader<>(
                spec.topic(),
                PartitionSplit::topic,
                () -> new PulsarSplitReader(group, cursor, watch, mostMessagesAhead(options)),
                PartitionSplit::behind,
                group,
                pending,
                context);
    }

    /** How many messages of a partition may be on their way to a reader or waiting there. */
    static int mostMessagesAhead(PulsarOptions options) {
        return Integer.parseInt(options.consumer().getOrDefault("receiverQueueSize", MOST_MESSAGES_AHEAD));
    }

    @Override
    public SplitEnumerator<PartitionSplit, PartitionEnumeratorState> createEnumerator(
            SplitEnumeratorContext<PartitionSplit> context) {
        return restoreEnumerator(context, PartitionEnumeratorState.nothingKnown());
    }

    @Override
    public SplitEnumerator<PartitionSplit, PartitionEnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<PartitionSplit> context, PartitionEnumeratorState state) {
        return new PartitionEnumerator(context, new PulsarLookup(options, spec.topic()), spec, state);
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
