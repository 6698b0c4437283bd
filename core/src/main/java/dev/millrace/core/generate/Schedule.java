package dev.millrace.core.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When each reading is meant to be sent: segments of constant rate, one behind the other, in exact integer arithmetic.
 * Lateness of whoever sends never changes it; a pause, a resume or another rate appends a segment, and what was
 * scheduled before stays as it was.
 *
 * <p>Not thread-safe.
 */
public final class Schedule {
    private static final long MICROS = 1_000_000;
    /** So that no product below overflows. */
    public static final long MAX_RATE = 1_000_000_000;

    /** Epoch milliseconds: the end of the year 9999. */
    public static final long MAX_START_MILLIS = 253_402_300_799_000L;

    private long[] firstIndexes = new long[8];
    private long[] firstTimes = new long[8];
    private long[] rates = new long[8];
    private int count;
    // Walks go upwards: the segment of the last question nearly always answers the next one.
    private int hint;

    /**
     * From {@code firstIndex} on, reading {@code firstIndex + k} is meant for {@code firstTimeMicros + k / rate}.
     *
     * @param firstTimeMicros epoch microseconds
     * @param readingsPerSecond 0 is a pause: nothing is scheduled until the next segment
     */
    public record Segment(long firstIndex, long firstTimeMicros, long readingsPerSecond) {}

    public Schedule() {}

    /** One rate for ever, from {@code startMicros} on. */
    public static Schedule constant(long startMicros, long readingsPerSecond) {
        Schedule schedule = new Schedule();
        schedule.append(new Segment(0, startMicros, readingsPerSecond));
        return schedule;
    }

    public Schedule copy() {
        Schedule copy = new Schedule();
        segments().forEach(copy::append);
        return copy;
    }

    /**
     * Changes the rate from {@code timeMicros} on; readings meant for an earlier time keep it.
     *
     * @return the new segment
     */
    public Segment change(long timeMicros, long readingsPerSecond) {
        Segment segment = new Segment(dueBy(timeMicros - 1), timeMicros, readingsPerSecond);
        append(segment);
        return segment;
    }

    /** Appends a segment as {@link #change} made it; one that does not go on where this ends is refused. */
    public void append(Segment segment) {
        if (segment.readingsPerSecond < 0 || segment.readingsPerSecond > MAX_RATE) {
            throw new IllegalArgumentException("rate " + segment.readingsPerSecond + " is not from 0 to " + MAX_RATE);
        }
        long expected = count == 0 ? 0 : dueBy(segment.firstTimeMicros - 1);
        boolean inOrder = count == 0 || segment.firstTimeMicros >= firstTimes[count - 1];
        if (!inOrder || segment.firstIndex != expected) {
            throw new IllegalArgumentException(
                    segment + " does not go on where the schedule ends: index " + expected + " was to be next");
        }
        if (count == rates.length) {
            firstIndexes = Arrays.copyOf(firstIndexes, count * 2);
            firstTimes = Arrays.copyOf(firstTimes, count * 2);
            rates = Arrays.copyOf(rates, count * 2);
        }
        firstIndexes[count] = segment.firstIndex;
        firstTimes[count] = segment.firstTimeMicros;
        rates[count] = segment.readingsPerSecond;
        count++;
    }

    /** Epoch microseconds; {@link Long#MAX_VALUE} when the schedule does not reach so far. */
    public long timeMicros(long index) {
        int segment = segmentOf(index);
        long rate = rates[segment];
        if (rate == 0) {
            return Long.MAX_VALUE;
        }
        long ahead = index - firstIndexes[segment];
        return firstTimes[segment] + ahead / rate * MICROS + ahead % rate * MICROS / rate;
    }

    /** How many readings are meant for {@code timeMicros} or earlier: the index of the first that is not. */
    public long dueBy(long timeMicros) {
        int segment = lastStartedBy(timeMicros);
        if (segment < 0) {
            return 0;
        }
        // k is due iff floor(k * 10^6 / rate) <= elapsed, so there are ceil((elapsed + 1) * rate / 10^6) of them.
        long ticks = timeMicros - firstTimes[segment] + 1;
        long rate = rates[segment];
        return Math.addExact(
                firstIndexes[segment],
                Math.addExact(Math.multiplyExact(ticks / MICROS, rate), (ticks % MICROS * rate + MICROS - 1) / MICROS));
    }

    /** Epoch microseconds of the first segment's start. */
    public long startMicros() {
        return firstTimes[0];
    }

    /** The last segment, the one in force from its time on. */
    public Segment last() {
        return segment(count - 1);
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public List<Segment> segments() {
        List<Segment> segments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            segments.add(segment(i));
        }
        return segments;
    }

    private Segment segment(int i) {
        return new Segment(firstIndexes[i], firstTimes[i], rates[i]);
    }

    /** The last segment with {@code firstIndex <= index}; of several (pauses) the last. */
    private int segmentOf(long index) {
        if (firstIndexes[hint] <= index && (hint + 1 == count || index < firstIndexes[hint + 1])) {
            return hint;
        }
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstIndexes[middle] <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        hint = low;
        return low;
    }

    private int lastStartedBy(long timeMicros) {
        if (count == 0 || timeMicros < firstTimes[0]) {
            return -1;
        }
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstTimes[middle] <= timeMicros) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
