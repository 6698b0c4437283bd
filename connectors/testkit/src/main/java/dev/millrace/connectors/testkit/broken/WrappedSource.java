package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import java.io.Serializable;
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
    private final Wrapping wrapping;

    private WrappedSource(Source<PayloadChunk, S, C> working, Wrapping wrapping) {
        this.working = working;
        this.wrapping = wrapping;
    }

    static <S extends SourceSplit, C> Source<PayloadChunk, S, C> of(
            Source<PayloadChunk, S, C> working, Wrapping wrapping) {
        return new WrappedSource<>(working, wrapping);
    }

    /** Puts a fault around a reader. */
    interface Wrapping extends Serializable {
        <S extends SourceSplit> SourceReader<PayloadChunk, S> around(SourceReader<PayloadChunk, S> working);
    }

    @Override
    public Boundedness getBoundedness() {
        return working.getBoundedness();
    }

    @Override
    public SourceReader<PayloadChunk, S> createReader(SourceReaderContext context) throws Exception {
        return wrapping.around(working.createReader(context));
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
