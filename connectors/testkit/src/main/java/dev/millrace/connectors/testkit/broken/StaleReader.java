package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import java.util.List;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;

/** Answers each checkpoint with the one before. */
@SuppressWarnings("try") // Flink's close() throws Exception
final class StaleReader<S extends SourceSplit> extends WrappedReader<S> {
    private List<S> previous;

    StaleReader(SourceReader<PayloadChunk, S> working) {
        super(working);
    }

    @Override
    public List<S> snapshotState(long checkpointId) {
        List<S> now = super.snapshotState(checkpointId);
        List<S> given = previous == null ? now : previous;
        previous = now;
        return given;
    }
}
