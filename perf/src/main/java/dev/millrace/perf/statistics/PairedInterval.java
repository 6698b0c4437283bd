package dev.millrace.perf.statistics;

import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;

/**
 * How far b is from a, over pairs of figures that were measured next to each other. All is computed on the logarithms of the
 * pairs' ratios b / a, so that what slows both sides of a pair alike is in none of it, and swapping the sides inverts the ratio.
 *
 * @param pairs how many there are, 0 or more
 * @param ratio geometric mean of the ratios, above 0; NaN without any pair, and when a value of any pair is not a finite number
 *     above 0: then that pair has no ratio, and leaving it out would hide the extreme ones
 * @param low lower bound of the ratio's 95 % interval; NaN when there is no ratio, or fewer than {@link #LEAST_PAIRS}
 * @param high its upper bound; NaN likewise
 * @param effectSize mean of the logarithms, in their sample standard deviations (Cohen's d of paired values); NaN likewise, and when all
 *     ratios are alike
 * @param detectable the smallest ratio above 1 that a paired t-test at 5 % finds with a power of 80 % in so many pairs of this
 *     spread; 1 when all ratios are alike; NaN as the bounds
 */
public record PairedInterval(int pairs, double ratio, double low, double high, double effectSize, double detectable)
        implements RatioInterval {
    /** Fewer say too little about the spread for any interval. */
    public static final int LEAST_PAIRS = 5;

    /**
     * Of the pairs (a[i], b[i]).
     *
     * @param seed of the bootstrap: the same seed makes the same interval
     * @throws IllegalArgumentException when they are not equally many
     */
    public static PairedInterval of(double[] a, double[] b, long seed) {
        return of(a, b, SmoothedBootstrap.RESAMPLES, seed);
    }

    static PairedInterval of(double[] a, double[] b, int resamples, long seed) {
        if (a.length != b.length) {
            throw new IllegalArgumentException(a.length + " figures have " + b.length + " partners");
        }
        int pairs = a.length;
        if (pairs == 0 || !Logarithms.areOf(a) || !Logarithms.areOf(b)) {
            return new PairedInterval(pairs, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] logs = IntStream.range(0, pairs)
                .mapToDouble(i -> Math.log(b[i]) - Math.log(a[i]))
                .toArray();
        double mean = Mean.of(logs).getAsDouble();
        if (pairs < LEAST_PAIRS) {
            return new PairedInterval(pairs, Math.exp(mean), Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double deviation = StandardDeviation.of(logs).getAsDouble();
        if (deviation < Logarithms.ROUNDING) {
            // No spread, no t. If neither side were better, so many equal ratios other than 1 would still all have to
            // fall on one
            // side of it, which n pairs do with a chance of at most 2 / 2^n; so the point may stand for the interval.
            double ratio = Math.abs(mean) < Logarithms.ROUNDING ? 1 : Math.exp(mean);
            return new PairedInterval(pairs, ratio, ratio, ratio, Double.NaN, 1);
        }
        SmoothedBootstrap.Bounds bounds = SmoothedBootstrap.ofMean(logs, mean, deviation, resamples, seed);
        return new PairedInterval(
                pairs,
                Math.exp(mean),
                Math.exp(bounds.low()),
                Math.exp(bounds.high()),
                mean / deviation,
                Logarithms.detectable(deviation / Math.sqrt(pairs), pairs - 1));
    }
}
