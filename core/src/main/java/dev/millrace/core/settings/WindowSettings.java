package dev.millrace.core.settings;

import java.io.Serializable;
import java.time.Duration;

/**
 * How event time is cut. Windows of {@code size} start every {@code slide}, aligned to the epoch; equal means tumbling.
 * Windows are put together from slices: the greatest common divisor of both, so that a reading is added once, however
 * many windows overlap.
 *
 * @param outOfOrderness how far a reading may be behind the latest one of its partition and still be on time
 */
public record WindowSettings(Duration size, Duration slide, Duration outOfOrderness) implements Serializable {

    /** Throws {@link UserException} unless {@code 0 < slide <= size}. */
    public WindowSettings {
        if (size.toMillis() <= 0 || slide.toMillis() <= 0 || slide.compareTo(size) > 0) {
            throw new UserException("window " + Values.text(size) + " with slide " + Values.text(slide)
                    + ": both must be positive and the slide at most the window");
        }
    }

    public static WindowSettings tumbling(Duration size, Duration outOfOrderness) {
        return new WindowSettings(size, size, outOfOrderness);
    }

    public long sizeMillis() {
        return size.toMillis();
    }

    public long slideMillis() {
        return slide.toMillis();
    }

    /** The length of a slice, milliseconds. */
    public long sliceMillis() {
        return java.math.BigInteger.valueOf(sizeMillis())
                .gcd(java.math.BigInteger.valueOf(slideMillis()))
                .longValueExact();
    }

    /** The end (exclusive) of the slice that holds {@code eventTime}, epoch milliseconds. */
    public long sliceEnd(long eventTime) {
        long slice = sliceMillis();
        return Math.floorDiv(eventTime, slice) * slice + slice;
    }

    /** The end of the first window that holds the slice ending at {@code sliceEnd}. */
    public long firstWindowEnd(long sliceEnd) {
        // Window ends are size + k * slide; the least that is not before the slice's end.
        long offset = Math.floorMod(sizeMillis(), slideMillis());
        return Math.floorDiv(sliceEnd - offset + slideMillis() - 1, slideMillis()) * slideMillis() + offset;
    }
}
