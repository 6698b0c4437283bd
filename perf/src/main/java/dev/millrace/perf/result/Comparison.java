package dev.millrace.perf.result;

import java.util.List;

/**
 * One figure of two subjects, over the pairs of blocks in which both are VALID.
 *
 * @param decides whether the scenario's verdict is this figure's
 * @param medianA median of the paired runs of {@code a}; NaN without any
 * @param ratio of {@code b} to {@code a}: the geometric mean of the pairs' ratios; NaN without any
 * @param low lower bound of the ratio's 95 % interval; NaN when there are too few pairs
 * @param high its upper bound
 * @param effectSize mean of the pairs' logarithmic ratios, in their standard deviations; NaN when there are too few pairs
 * @param detectable the smallest ratio above 1 that so many pairs of this spread show four times in five; NaN likewise
 * @param floor median of the floor's VALID runs; NaN where there is none, or the figure says nothing about the rig
 * @param harnessLimited those of {@code a} and {@code b} so near to the floor that the rig, not the broker, was measured
 * @param sentence the verdict for people
 */
public record Comparison(
        Figure figure,
        boolean decides,
        String a,
        String b,
        int pairs,
        double medianA,
        double medianB,
        double ratio,
        double low,
        double high,
        double effectSize,
        double detectable,
        double floor,
        List<String> harnessLimited,
        Verdict verdict,
        String sentence) {

    /** What can be said. */
    public enum Verdict {
        A_BETTER,
        B_BETTER,
        NO_DIFFERENCE,
        /** Too few pairs, a capacity that was not found, or the budget was not enforced: figures only. */
        NONE
    }
}
