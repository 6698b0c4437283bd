package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;

/** A few decoded readings and the slice that each is in; filled again and again. Not thread-safe. */
public final class ReadingBatch {
    /** Enough that memory is waited for side by side, and so few that they stay in the first cache. */
    static final int CAPACITY = 64;

    final DecodedReading[] readings = new DecodedReading[CAPACITY];
    final long[] sliceEnds = new long[CAPACITY];
    int count;

    public ReadingBatch() {
        for (int i = 0; i < CAPACITY; i++) {
            readings[i] = new DecodedReading();
        }
    }

    /** The reading to decode into; it is part of the batch once {@link #count} says so. */
    public DecodedReading next() {
        return readings[count];
    }

    public void take(long sliceEnd) {
        sliceEnds[count++] = sliceEnd;
    }

    public boolean isFull() {
        return count == CAPACITY;
    }
}
