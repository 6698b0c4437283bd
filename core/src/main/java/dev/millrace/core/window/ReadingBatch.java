package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import java.util.function.ObjLongConsumer;

/** A few decoded readings and the slice that each is in; filled again and again. Not thread-safe. */
public final class ReadingBatch {
    static final int CAPACITY = DecodedReadings.ROWS;

    private final DecodedReadings decoded = new DecodedReadings();
    final DecodedReading[] readings = new DecodedReading[CAPACITY];
    final long[] sliceEnds = new long[CAPACITY];
    int count;

    /** Where to decode into, while the batch is empty. */
    public DecodedReadings decoded() {
        return decoded;
    }

    /** Makes the next reading of {@link #decoded} that is wanted a part of the batch. */
    public void take(DecodedReading reading, long sliceEnd) {
        readings[count] = reading;
        sliceEnds[count++] = sliceEnd;
    }

    /** Calls {@code each} for every reading and its slice's end, and is empty then. */
    public void drain(ObjLongConsumer<DecodedReading> each) {
        for (int i = 0; i < count; i++) {
            each.accept(readings[i], sliceEnds[i]);
        }
        count = 0;
    }
}
