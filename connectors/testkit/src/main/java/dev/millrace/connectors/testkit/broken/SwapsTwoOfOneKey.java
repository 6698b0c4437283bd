package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.core.reading.PayloadChunk;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Exchanges the first two readings of one key in each chunk; the contract's payloads begin with {@code KEY/}. */
public final class SwapsTwoOfOneKey extends RewritesChunks {
    public SwapsTwoOfOneKey(Broker working) {
        super(working, SwapsTwoOfOneKey::swap);
    }

    private static PayloadChunk swap(PayloadChunk chunk) {
        int[] places = IntStream.range(0, chunk.count()).toArray();
        int[] payloads = places.clone();
        Map<String, Integer> first = new HashMap<>();
        for (int i : places) {
            String text = new String(chunk.payload(i), StandardCharsets.UTF_8);
            int slash = text.indexOf('/');
            Integer other = slash < 0 ? null : first.putIfAbsent(text.substring(0, slash), i);
            if (other != null) {
                payloads[i] = other;
                payloads[other] = i;
                break;
            }
        }
        return chunk.count() == 0 ? chunk : pick(chunk, payloads, places);
    }
}
