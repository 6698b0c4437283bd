package dev.millrace.perf.latency;

import java.util.Locale;

/**
 * What one round of one variant gave; times in milliseconds, from the moment at which the row was due.
 *
 * @param round from 1
 * @param rows how many were counted
 */
record Latency(String broker, String variant, int round, long rows, double p50, double p99, double max) {

    String sentence() {
        return String.format(Locale.ROOT, "%,d rows, p50 %.1f ms, p99 %.1f ms, greatest %.1f ms", rows, p50, p99, max);
    }
}
