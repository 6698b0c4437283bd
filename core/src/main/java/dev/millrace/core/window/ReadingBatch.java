package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import java.util.function.ObjLongConsumer;

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

    /** Calls {@code each} for every reading and its slice's end, and is empty then. */
    public void drain(ObjLongConsumer<DecodedReading> each) {
        for (int i = 0; i < count; i++) {
            each.accept(readings[i], sliceEnds[i]);
        }
        count = 0;
    }

    public boolean isFull() {
        return count == CAPACITY;
    }
}
