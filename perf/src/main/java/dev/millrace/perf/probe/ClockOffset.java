package dev.millrace.perf.probe;

import java.time.Instant;

/**
 * How far the wall clock is from the clock that only runs forward. Both are slewed alike, so their distance changes only when the
 * wall clock is set.
 */
public final class ClockOffset {
    private static final int TRIES = 50;

    private ClockOffset() {}

    /** Milliseconds; only differences of two of them say something. Right to some microseconds. */
    public static double millis() {
        long narrowest = Long.MAX_VALUE;
        double millis = 0;
        for (int i = 0; i < TRIES; i++) {
            long before = System.nanoTime();
            Instant wall = Instant.now();
            long took = System.nanoTime() - before;
            // In a wider one this thread was taken off its core between the clocks.
            if (took < narrowest) {
                narrowest = took;
                long micros = wall.getEpochSecond() * 1_000_000 + wall.getNano() / 1000;
                millis = (micros - (before + took / 2) / 1000) / 1000.0;
            }
        }
        return millis;
    }
}
