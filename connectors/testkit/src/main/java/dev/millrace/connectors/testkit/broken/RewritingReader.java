package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;

/** Rewrites every chunk. */
@SuppressWarnings("try") // Flink's close() throws Exception
final class RewritingReader<S extends SourceSplit> extends WrappedReader<S> {
    private final Rewrite rewrite;

    RewritingReader(SourceReader<PayloadChunk, S> working, Rewrite rewrite) {
        super(working);
        this.rewrite = rewrite;
    }

    @Override
    void hand(PayloadChunk chunk, SourceOutput<PayloadChunk> target) {
        target.collect(rewrite.apply(chunk));
    }
}
