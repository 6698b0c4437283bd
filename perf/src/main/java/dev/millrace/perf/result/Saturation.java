package dev.millrace.perf.result;

/**
 * Whether the machine had processor time left while a run was measured. Without any, one process has less when another takes more:
 * the sum stays what the machine has, and a difference in CPU seconds shows smaller than it is. Of 65 us burnt on purpose for each
 * reading, beside 738 us for all else, 11 us were to be seen in the sum of runs that used 1.84 of 2 cores.
 */
public final class Saturation {
    /** Of a run's evidence: the idle time of all processors as a share, 0 to 1; also behind a point, of what has figures of its own. */
    public static final String IDLE_SHARE = "idleShare";

    /** A machine with less idle time is taken to have none. */
    public static final double LEAST_IDLE_SHARE = 0.1;

    private Saturation() {}

    /** In one of its phases; not when its idle time is not known. */
    public static boolean of(Run run) {
        return run.evidence().entrySet().stream()
                .filter(one -> one.getKey().equals(IDLE_SHARE) || one.getKey().endsWith("." + IDLE_SHARE))
                .anyMatch(one -> one.getValue() < LEAST_IDLE_SHARE);
    }
}
