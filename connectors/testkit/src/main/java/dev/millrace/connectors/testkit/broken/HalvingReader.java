package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** Hands on the first half of a chunk, and with the next call the second; its checkpoints know nothing of halves. */
@SuppressWarnings("try") // Flink's close() throws Exception
final class HalvingReader<S extends SourceSplit> extends WrappedReader<S> {
    private PayloadChunk rest;
    private SourceOutput<PayloadChunk> restTarget;

    HalvingReader(SourceReader<PayloadChunk, S> working) {
        super(working);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<PayloadChunk> target) throws Exception {
        if (rest != null) {
            restTarget.collect(rest);
            rest = null;
            return InputStatus.MORE_AVAILABLE;
        }
        InputStatus status = super.pollNext(target);
        return rest == null ? status : InputStatus.MORE_AVAILABLE;
    }

    @Override
    void hand(PayloadChunk chunk, SourceOutput<PayloadChunk> target) {
        if (chunk.count() < 2) {
            target.collect(chunk);
            return;
        }
        int[] first = IntStream.range(0, chunk.count() / 2).toArray();
        int[] second = IntStream.range(chunk.count() / 2, chunk.count()).toArray();
        target.collect(RewritesChunks.pick(chunk, first, first));
        rest = RewritesChunks.pick(chunk, second, second);
        restTarget = target;
    }
}
