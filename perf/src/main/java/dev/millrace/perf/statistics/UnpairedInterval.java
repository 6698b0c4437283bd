package dev.millrace.perf.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;

/**
 * How far b is from a, when no run of one has a partner in the other: the ratio of their geometric means, with Welch's t interval of
 * the difference between the means of their logarithms (Welch, Biometrika 34, 1947). Both sides may have spreads and numbers of their own.
 * Swapping the sides inverts the ratio and its bounds. What slowed one side's session down as a whole is in the ratio, and not in the interval.
 * The decision record {@code perf/adr/0003-interval-of-two-results.md} has what it was chosen from.
 *
 * @param runsA how many figures a has, 0 or more
 * @param runsB how many b has
 * @param ratio of the geometric means, b to a, above 0; NaN when a side has no figure, and when any figure is not a finite number
 *     above 0
 * @param low lower bound of the ratio's 95 % interval; NaN when there is no ratio, or a side has fewer than {@link #LEAST_RUNS}
 * @param high its upper bound; NaN likewise
 * @param detectable the smallest ratio above 1 that the same test finds with a power of 80 % in so many runs of these spreads; 1 when
 *     neither side has a spread; NaN as the bounds
 */
public record UnpairedInterval(int runsA, int runsB, double ratio, double low, double high, double detectable)
        implements RatioInterval {
    /** On each side: fewer say too little about its spread for any interval. */
    public static final int LEAST_RUNS = 5;

    /** Of all figures of a and of all of b, in any order. */
    public static UnpairedInterval of(double[] a, double[] b) {
        if (a.length == 0 || b.length == 0 || !Logarithms.areOf(a) || !Logarithms.areOf(b)) {
            return new UnpairedInterval(a.length, b.length, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] logsA = Arrays.stream(a).map(Math::log).toArray();
        double[] logsB = Arrays.stream(b).map(Math::log).toArray();
        double difference = Mean.of(logsB).getAsDouble() - Mean.of(logsA).getAsDouble();
        if (Math.min(a.length, b.length) < LEAST_RUNS) {
            return new UnpairedInterval(a.length, b.length, Math.exp(difference), Double.NaN, Double.NaN, Double.NaN);
        }
        double ofA = Variance.of(logsA).getAsDouble() / a.length;
        double ofB = Variance.of(logsB).getAsDouble() / b.length;
        double error = Math.sqrt(ofA + ofB);
        if (error < Logarithms.ROUNDING) {
            // No spread, no t. If neither side were better, all of one would still have to be above all of the other,
            // which five and five do with a chance of 2 in 252; so the point may stand for the interval.
            double ratio = Math.abs(difference) < Logarithms.ROUNDING ? 1 : Math.exp(difference);
            return new UnpairedInterval(a.length, b.length, ratio, ratio, ratio, 1);
        }
        double degrees = (ofA + ofB) * (ofA + ofB) / (ofA * ofA / (a.length - 1) + ofB * ofB / (b.length - 1));
        double reach = Logarithms.reach(degrees) * error;
        return new UnpairedInterval(
                a.length,
                b.length,
                Math.exp(difference),
                Math.exp(difference - reach),
                Math.exp(difference + reach),
                Logarithms.detectable(error, degrees));
    }
}
