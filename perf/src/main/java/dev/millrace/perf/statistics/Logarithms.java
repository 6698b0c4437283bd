package dev.millrace.perf.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/** What intervals of ratios share, all of it on logarithms. */
final class Logarithms {
    /** A spread below this is the rounding of divisions and logarithms only. */
    static final double ROUNDING = 1e-12;

    private static final double CONFIDENCE_QUANTILE = 0.975;
    private static final double POWER = 0.80;

    private Logarithms() {}

    /** Whether every value has one: is finite and above 0. */
    static boolean areOf(double[] values) {
        return Arrays.stream(values).allMatch(value -> Double.isFinite(value) && value > 0);
    }

    /** How many standard errors a 95 % interval reaches to either side. */
    static double reach(double degrees) {
        return TDistribution.of(degrees).inverseCumulativeProbability(CONFIDENCE_QUANTILE);
    }

    /**
     * The smallest ratio above 1 that a t-test at 5 % finds with a power of 80 %: the usual approximation by two quantiles of the
     * central t (Zar, Biostatistical Analysis, 5th edition, chapter 7.7).
     *
     * @param error standard error of the logarithm
     * @param degrees of freedom of the error
     */
    static double detectable(double error, double degrees) {
        double errors = reach(degrees) + TDistribution.of(degrees).inverseCumulativeProbability(POWER);
        return Math.exp(errors * error);
    }
}
