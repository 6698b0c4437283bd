package dev.millrace.connectors.api.reader;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The memory of chunks that the task is done with, to be filled again: a reader that runs for a while takes no new memory. Thread-safe.
 */
public final class ChunkPool {
    /** What lies here unused takes no more than this; a burst of large chunks is not kept. */
    private static final long MOST_SPARE_BYTES = 64L << 20;

    static final Arrays NOTHING = new Arrays(new byte[0], new int[0], new long[0], new long[0]);

    private final Deque<Arrays> spare = new ArrayDeque<>();
    private long spareBytes;

    /** What a chunk is made of. */
    record Arrays(byte[] bytes, int[] ends, long[] timestamps, long[] minors) {
        private long size() {
            return bytes.length + (long) ends.length * (Integer.BYTES + Long.BYTES + Long.BYTES);
        }
    }

    /** What was given back last, for the cache may still hold it; {@link #NOTHING} when all is in use. */
    synchronized Arrays take() {
        Arrays arrays = spare.poll();
        if (arrays == null) {
            return NOTHING;
        }
        spareBytes -= arrays.size();
        return arrays;
    }

    synchronized void give(Arrays arrays) {
        if (spareBytes + arrays.size() <= MOST_SPARE_BYTES) {
            spare.push(arrays);
            spareBytes += arrays.size();
        }
    }
}
