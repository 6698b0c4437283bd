package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.reading.PayloadChunk;
import java.util.stream.IntStream;

/** Drops one reading of each chunk of three and more. */
public final class LosesOneReading extends RewritesChunks {
    public LosesOneReading(Broker working) {
        super(working, LosesOneReading::drop);
    }

    private static PayloadChunk drop(PayloadChunk chunk) {
        if (chunk.count() < 3) {
            return chunk;
        }
        int[] kept = IntStream.range(0, chunk.count()).filter(i -> i != 1).toArray();
        return pick(chunk, kept, kept);
    }
}
