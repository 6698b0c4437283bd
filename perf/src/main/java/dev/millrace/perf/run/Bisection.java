package dev.millrace.perf.run;

import java.util.OptionalLong;
import java.util.Random;

/**
 * Looks for the greatest rate that is kept: doubles while it is, then halves the span between the greatest that was and the least
 * that was not. Assumes that a rate above one that is not kept is not kept either; the confirming run after it does not.
 */
final class Bisection {
    private static final long LEAST = 100;
    /** Of the span between kept and missed: a candidate lies somewhere in its middle. */
    private static final double MIDDLE_FROM = 0.35;

    private static final double MIDDLE_TO = 0.65;

    private final long most;
    private final double precision;
    private final Random random;
    private long rate;
    private long kept;
    private long missed;

    /**
     * @param start readings per second, the first candidate
     * @param most no candidate is above this
     * @param precision ends when the span is so small a share of the greatest that was kept
     * @param random another one for each run: candidates that were the same ones in all runs would hide, or show, the same
     *     differences in all of them, and no interval would know
     */
    Bisection(long start, long most, double precision, Random random) {
        this.rate = Math.min(start, most);
        this.most = most;
        this.precision = precision;
        this.random = random;
    }

    /** The next to be tried; empty at the end. */
    OptionalLong candidate() {
        boolean atTheTop = kept == most;
        boolean close = kept > 0 && missed > 0 && missed - kept <= Math.max(1, precision * kept);
        boolean hopeless = kept == 0 && missed > 0 && missed <= LEAST;
        return atTheTop || close || hopeless ? OptionalLong.empty() : OptionalLong.of(rate);
    }

    /** Whether the candidate was kept. */
    void tried(boolean wasKept) {
        if (wasKept) {
            kept = rate;
        } else {
            missed = rate;
        }
        if (missed == 0) {
            rate = Math.min(most, kept * 2);
        } else {
            rate = kept == 0 ? Math.max(LEAST, missed / 2) : between();
        }
    }

    private long between() {
        return kept + (long) ((missed - kept) * random.nextDouble(MIDDLE_FROM, MIDDLE_TO));
    }

    /** The greatest that was kept, readings per second; 0 when none was. */
    long kept() {
        return kept;
    }
}
