package dev.millrace.perf.result;

import java.util.Locale;

/**
 * Whether a run's search ended at the greatest rate that it might try, the scenario's or half of what the generator alone makes. The
 * rate is then no capacity, and two subjects that both got there may differ above it.
 */
public final class Ceiling {
    private static final String KEPT = "kept the greatest rate that was tried, ";

    private Ceiling() {}

    /** What such a run has among its remarks. */
    public static String remark(long rate) {
        return String.format(Locale.ROOT, "%s%,d readings/s: the capacity is that or more", KEPT, rate);
    }

    public static boolean of(Run run) {
        return run.remarks().stream().anyMatch(remark -> remark.startsWith(KEPT));
    }
}
