package dev.millrace.connectors.generator;

/**
 * The time by which the generator sends. It notices when the clock was set or the machine slept, which is when the clock moved by
 * more than a second otherwise than a time that nobody sets: what was skipped is a pause in the schedule, and a clock that was
 * set back is told of. Where the process was held up both moved alike, and all stays due. Used by the generator's thread alone.
 */
final class ClockWatch {
    private static final long LEAST_MICROS = 1_000_000;

    private final Clock clock;
    private final Pace pace;
    private long now;
    private long latest;
    private long askedNanos;
    private long answeredNanos;
    private String waiting = "";

    ClockWatch(Clock clock, Pace pace) {
        this.clock = clock;
        this.pace = pace;
        read();
        latest = now;
    }

    /**
     * The time, epoch microseconds. Must be asked before what is due by it.
     *
     * @param next the first reading that was not offered yet
     */
    long now(long next) {
        long before = now;
        long askedBefore = askedNanos;
        long answeredBefore = answeredNanos;
        read();
        latest = Math.max(latest, now);
        // Without a pace nothing waits for the clock.
        if (pace.isPaced()) {
            // It may have been held up between any two questions: only what no such wait explains counts.
            long atMost = (answeredNanos - askedBefore) / 1000;
            long atLeast = (askedNanos - answeredBefore) / 1000;
            long moved = now - before;
            long real = clock.realMicros(moved);
            if (real - atMost > LEAST_MICROS) {
                wentForward(real - atMost, before + (long) ((double) moved * atMost / real), next);
            }
            if (atLeast - real > LEAST_MICROS) {
                waiting = "the clock was set back by " + seconds(clock.realMicros(latest - now))
                        + " s; sending goes on when it has caught up";
                System.out.println(waiting);
            } else if (now == latest) {
                waiting = "";
            }
        }
        return now;
    }

    /** Why nothing may be due, in a sentence: the clock was set back. Empty once it has caught up. */
    String waiting() {
        return waiting;
    }

    private void wentForward(long realMicros, long from, long next) {
        pace.skip(from, now, next);
        System.out.println("the clock went forward by " + seconds(realMicros)
                + " s (it was set, or the machine slept); no reading is sent for that time");
    }

    private static long seconds(long micros) {
        return (micros + 500_000) / 1_000_000;
    }

    private void read() {
        askedNanos = clock.steadyNanos();
        now = clock.micros();
        answeredNanos = clock.steadyNanos();
    }
}
