package dev.millrace.core.window;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one device in one slice, on its way from the decoder to the device's window. Mutable and used again by
 * the sender: whoever keeps one on its side of the key copies it.
 */
public final class SlicePartial {
    public String deviceId = "";
    /** Epoch milliseconds, exclusive. */
    public long sliceEnd;

    public Accumulator values = new Accumulator();
    /**
     * The one reading's dead letter, should its window turn out to be closed; null where the sender knows that it is not (see
     * {@link ChunkDecoder}).
     */
    @Nullable
    DeadLetter ifClosed;
}
