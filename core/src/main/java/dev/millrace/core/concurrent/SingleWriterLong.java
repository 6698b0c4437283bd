package dev.millrace.core.concurrent;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A number that one thread writes, very often, and others read. It has cache lines of its own: beside something that another thread
 * writes as often, each write would wait for the other processor's cache (false sharing). What was written before {@link #set} or
 * {@link #increment} is visible to whoever reads the number.
 */
public final class SingleWriterLong {
    /** Lines have 64 bytes, and processors fetch two at a time. */
    private static final int PADDING = 128 / Long.BYTES;

    private final AtomicLongArray cells = new AtomicLongArray(PADDING + 1 + PADDING);

    /** The number as it was written last; any thread. */
    public long get() {
        return cells.get(PADDING);
    }

    /** Only the writing thread. */
    public void set(long value) {
        cells.setRelease(PADDING, value);
    }

    /** One more; only the writing thread. */
    public void increment() {
        cells.setRelease(PADDING, cells.getPlain(PADDING) + 1);
    }
}
