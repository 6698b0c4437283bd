package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.ChunkArrays;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arrays of chunks that were read, for the next ones: the fetch thread takes them, the task's thread gives them back. What it
 * keeps is bounded; what does not fit is left to the garbage collector. Thread-safe.
 */
public final class ChunkPool {
    private static final long MOST_BYTES = 64L << 20;
    /** Of somebody else's bytes only the indexes come back, which weigh little. */
    private static final int MOST_ARRAYS = 256;

    private final Deque<ChunkArrays> free = new ArrayDeque<>();
    private long freeBytes;

    /** Arrays with room for so many bytes and records, made where there are none; what is in them is of no meaning. */
    public ChunkArrays take(int bytes, int records) {
        ChunkArrays taken;
        synchronized (this) {
            taken = free.isEmpty() ? ChunkArrays.NONE : free.pop();
            freeBytes -= taken.bytes().length;
        }
        if (taken.bytes().length < bytes) {
            // New ones instead of grown ones: there is nothing to copy.
            taken = taken.borrowing(ChunkArrays.NONE.bytes()).own().withBytes(bytes);
        }
        return taken.withRecords(records);
    }

    /** Gives back the arrays of a chunk that nobody reads any more. */
    public synchronized void give(ChunkArrays read) {
        ChunkArrays own = read.own();
        if (own.records() + own.bytes().length > 0
                && free.size() < MOST_ARRAYS
                && freeBytes + own.bytes().length <= MOST_BYTES) {
            // The last one in is the first one out: it may still be in a cache.
            free.push(own);
            freeBytes += own.bytes().length;
        }
    }
}
