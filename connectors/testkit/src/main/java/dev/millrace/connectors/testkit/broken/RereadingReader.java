package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** Hands its last chunk on again when a connection to the broker has died. */
@SuppressWarnings("try") // Flink's close() throws Exception
final class RereadingReader<S extends SourceSplit> extends WrappedReader<S> {
    private final Canary canary;
    private PayloadChunk last;
    private SourceOutput<PayloadChunk> lastTarget;

    RereadingReader(SourceReader<PayloadChunk, S> working, Canary canary) {
        super(working);
        this.canary = canary;
    }

    @Override
    public InputStatus pollNext(ReaderOutput<PayloadChunk> target) throws Exception {
        if (canary.hasDied() && last != null) {
            lastTarget.collect(last);
        }
        return super.pollNext(target);
    }

    @Override
    void hand(PayloadChunk chunk, SourceOutput<PayloadChunk> target) {
        target.collect(chunk);
        if (chunk.count() > 0) {
            last = chunk.copy();
            lastTarget = target;
        }
    }

    @Override
    public void close() throws Exception {
        canary.close();
        super.close();
    }
}
