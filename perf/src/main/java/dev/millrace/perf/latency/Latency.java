package dev.millrace.perf.latency;

import dev.millrace.perf.probe.MachineUse;
import java.util.Locale;

/**
 * What one round of one variant gave; times in milliseconds, from the moment at which the row was due.
 *
 * @param round from 1
 * @param rows how many were counted
 * @param keptUp whether its job had caught up with the topic when counting began, and still had at its end
 * @param machine what the machine counted while they were counted
 */
record Latency(
        String broker,
        String variant,
        int round,
        long rows,
        boolean keptUp,
        double p50,
        double p99,
        double max,
        MachineUse machine) {

    /** Of a job that is behind, times say how long it has been so. */
    boolean counts() {
        return rows > 0 && keptUp;
    }

    String sentence() {
        return String.format(
                Locale.ROOT,
                "%,d rows, p50 %.1f ms, p99 %.1f ms, greatest %.1f ms%s",
                rows,
                p50,
                p99,
                max,
                keptUp ? "" : "; the job did not keep up, so they do not count");
    }
}
