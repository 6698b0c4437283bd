package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.reading.PayloadChunk;
import java.io.Serializable;

/** What a fault makes of a chunk. */
interface Rewrite extends Serializable {
    PayloadChunk apply(PayloadChunk chunk);
}
