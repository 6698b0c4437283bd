package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.reading.PayloadChunk;
import java.util.stream.IntStream;

/** Says with every chunk that nothing stands behind it. */
public final class EndsTooEarly extends RewritesChunks {
    public EndsTooEarly(Broker working) {
        super(working, EndsTooEarly::end);
    }

    private static PayloadChunk end(PayloadChunk chunk) {
        int[] all = IntStream.range(0, chunk.count()).toArray();
        return pick(chunk, all, all, true);
    }
}
