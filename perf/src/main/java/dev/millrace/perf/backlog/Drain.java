package dev.millrace.perf.backlog;

import java.util.Locale;

/**
 * What one drain gave.
 *
 * @param rateReadingsPerSecond over the middle 80 % of readings, by the job's own count
 * @param secondsToLastRow from the job's first reading to its end, when all rows are in the store
 * @param jobCpuSecondsPerMillion CPU seconds of the TaskManager per million readings, its start included
 * @param brokerCpuSecondsPerMillion CPU seconds of the broker's process during the drain per million readings
 * @param auditEqual whether the store holds exactly what the generator was acknowledged
 */
public record Drain(
        String broker,
        int round,
        long readings,
        double rateReadingsPerSecond,
        double secondsToLastRow,
        double jobCpuSecondsPerMillion,
        double brokerCpuSecondsPerMillion,
        boolean auditEqual) {

    String sentence() {
        return String.format(
                Locale.ROOT,
                "%,.0f readings/s, all %,d in the store after %.1f s, audit %s",
                rateReadingsPerSecond,
                readings,
                secondsToLastRow,
                auditEqual ? "equal" : "DIFFERENT");
    }
}
