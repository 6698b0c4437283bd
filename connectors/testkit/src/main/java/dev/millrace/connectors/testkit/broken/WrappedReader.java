package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** A reader that does what another does; each fault overrides what it breaks. */
@SuppressWarnings("try") // Flink's close() throws Exception
class WrappedReader<S extends SourceSplit> implements SourceReader<PayloadChunk, S> {
    private final SourceReader<PayloadChunk, S> working;
    private Output output;

    WrappedReader(SourceReader<PayloadChunk, S> working) {
        this.working = working;
    }

    /** Gives a chunk to the output of its split. */
    void hand(PayloadChunk chunk, SourceOutput<PayloadChunk> target) {
        target.collect(chunk);
    }

    @Override
    public void start() {
        working.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<PayloadChunk> target) throws Exception {
        if (output == null) {
            output = new Output(target);
        }
        return working.pollNext(output);
    }

    @Override
    public List<S> snapshotState(long checkpointId) {
        return working.snapshotState(checkpointId);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return working.isAvailable();
    }

    @Override
    public void addSplits(List<S> splits) {
        working.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
        working.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        working.handleSourceEvents(event);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
        working.pauseOrResumeSplits(toPause, toResume);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        working.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void close() throws Exception {
        working.close();
    }

    private final class Output implements ReaderOutput<PayloadChunk> {
        private final SourceOutput<PayloadChunk> target;

        private Output(SourceOutput<PayloadChunk> target) {
            this.target = target;
        }

        @Override
        public void collect(PayloadChunk chunk) {
            hand(chunk, target);
        }

        @Override
        public void collect(PayloadChunk chunk, long timestamp) {
            hand(chunk, target);
        }

        @Override
        public void emitWatermark(Watermark watermark) {
            target.emitWatermark(watermark);
        }

        @Override
        public void markIdle() {
            target.markIdle();
        }

        @Override
        public void markActive() {
            target.markActive();
        }

        @Override
        public SourceOutput<PayloadChunk> createOutputForSplit(String splitId) {
            return new Output(((ReaderOutput<PayloadChunk>) target).createOutputForSplit(splitId));
        }

        @Override
        public void releaseOutputForSplit(String splitId) {
            ((ReaderOutput<PayloadChunk>) target).releaseOutputForSplit(splitId);
        }
    }
}
