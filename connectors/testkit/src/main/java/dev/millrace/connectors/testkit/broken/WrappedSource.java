package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A source that does what another does, with a reader that has a fault. */
final class WrappedSource<S extends SourceSplit, C> implements Source<PayloadChunk, S, C> {
    private final Source<PayloadChunk, S, C> working;
    private final Rewrite rewrite;
    private final boolean repeating;

    private WrappedSource(Source<PayloadChunk, S, C> working, Rewrite rewrite, boolean repeating) {
        this.working = working;
        this.rewrite = rewrite;
        this.repeating = repeating;
    }

    static <S extends SourceSplit, C> Source<PayloadChunk, S, C> rewriting(
            Source<PayloadChunk, S, C> working, Rewrite rewrite) {
        return new WrappedSource<>(working, rewrite, false);
    }

    static <S extends SourceSplit, C> Source<PayloadChunk, S, C> repeating(Source<PayloadChunk, S, C> working) {
        return new WrappedSource<>(working, chunk -> chunk, true);
    }

    @Override
    public Boundedness getBoundedness() {
        return working.getBoundedness();
    }

    @Override
    public SourceReader<PayloadChunk, S> createReader(SourceReaderContext context) throws Exception {
        return new WrappedReader<>(working.createReader(context), rewrite, repeating);
    }

    @Override
    public SplitEnumerator<S, C> createEnumerator(SplitEnumeratorContext<S> context) throws Exception {
        return working.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<S, C> restoreEnumerator(SplitEnumeratorContext<S> context, C state) throws Exception {
        return working.restoreEnumerator(context, state);
    }

    @Override
    public SimpleVersionedSerializer<S> getSplitSerializer() {
        return working.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<C> getEnumeratorCheckpointSerializer() {
        return working.getEnumeratorCheckpointSerializer();
    }
}
