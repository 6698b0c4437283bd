package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Figure;

/**
 * One figure of one subject in two results, over all VALID runs of each: they are not paired.
 *
 * @param watched whether a change for the worse is a regression
 * @param a the subject's name in the first result
 * @param b its name in the second
 * @param runsA VALID runs of {@code a} that have the figure
 * @param runsB likewise of {@code b}
 * @param medianA their median; NaN without any
 * @param medianB likewise
 * @param ratio see {@link UnpairedInterval}
 * @param sentence what can be said, for people
 */
public record Change(
        Figure figure,
        boolean watched,
        String a,
        String b,
        int runsA,
        int runsB,
        double medianA,
        double medianB,
        double ratio,
        double low,
        double high,
        double detectable,
        Verdict verdict,
        String sentence) {

    /** Of the second result, seen from the first. */
    public enum Verdict {
        WORSE,
        BETTER,
        NO_DIFFERENCE,
        /** Too few runs, a capacity that was not found, or the two results may not be compared: figures only. */
        NONE
    }

    /** Whether this is what {@code --fail-on-regression} fails on. */
    public boolean isRegression() {
        return watched && verdict == Verdict.WORSE;
    }
}
