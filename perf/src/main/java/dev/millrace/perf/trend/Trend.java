package dev.millrace.perf.trend;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Whether a series rises or falls, and how steeply, without a model of its noise: the Mann-Kendall test (Kendall, Rank
 * Correlation Methods, 1975), and the slope of Theil and Sen (Sen, JASA 63, 1968), which single jumps hardly move.
 *
 * <p>The test takes observations for independent, and blocks of one run are not quite. So its variance is enlarged as Hamed and
 * Rao say (A modified Mann-Kendall trend test for autocorrelated data, Journal of Hydrology 204, 1998), from the autocorrelation
 * of the ranks of the series without its slope. That of short series is estimated too small, and far lags of it are noise: only
 * lag 1 is estimated, its bias is taken out as in Hamed (Enhancing the effectiveness of prewhitening, Journal of Hydrology 368,
 * 2009), and further lags are its powers. A negative one counts as none: it would make the test bolder. A simulated rate of
 * false alarms is in the test of this class.
 *
 * @param score Kendall's S: rising pairs less falling ones
 * @param variance of the score when there is no trend and observations are independent; ties are allowed for
 * @param autocorrelation of neighbouring blocks, 0 to 1
 * @param inflation by what the variance is multiplied, 1 or more
 * @param perHour the slope
 */
public record Trend(long score, double variance, double autocorrelation, double inflation, double perHour) {
    /** Of fewer the autocorrelation is hardly known, and the simulated rate of false alarms is too high. */
    public static final int LEAST_BLOCKS = 30;

    private static final double AUTOCORRELATION_MOST = 0.99;

    /**
     * The trend of a series.
     *
     * @param hours rising
     * @param values as many
     */
    static Trend of(double[] hours, double[] values) {
        if (values.length < LEAST_BLOCKS) {
            throw new IllegalArgumentException(values.length + " blocks; it takes " + LEAST_BLOCKS);
        }
        return ofAny(hours, values);
    }

    /** The same, however few. */
    static Trend ofAny(double[] hours, double[] values) {
        int n = values.length;
        long score = 0;
        double[] slopes = new double[n * (n - 1) / 2];
        int pair = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                score += (long) Math.signum(values[j] - values[i]);
                slopes[pair++] = (values[j] - values[i]) / (hours[j] - hours[i]);
            }
        }
        double slope = Median.withDefaults().evaluate(slopes);
        double[] rest = new double[n];
        for (int i = 0; i < n; i++) {
            rest[i] = values[i] - slope * hours[i];
        }
        double autocorrelation = autocorrelation(ranks(rest));
        return new Trend(score, variance(values), autocorrelation, inflation(autocorrelation, n), slope);
    }

    /** How often a score as far from 0 comes without a trend, 0 to 1. */
    public double p() {
        return p(variance * inflation);
    }

    /** The same if blocks were independent. */
    public double pOfIndependent() {
        return p(variance);
    }

    private double p(double spread) {
        if (score == 0 || spread == 0) {
            return 1;
        }
        double z = (Math.abs(score) - 1) / Math.sqrt(spread);
        return 2 * NormalDistribution.of(0, 1).survivalProbability(z);
    }

    private static double variance(double[] values) {
        Map<Double, Integer> groups = new HashMap<>();
        for (double value : values) {
            groups.merge(value, 1, Integer::sum);
        }
        double n = values.length;
        double ties = groups.values().stream()
                .mapToDouble(t -> t * (t - 1.0) * (2.0 * t + 5))
                .sum();
        return (n * (n - 1) * (2 * n + 5) - ties) / 18;
    }

    /** Ties share the mean of their ranks. */
    private static double[] ranks(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        Map<Double, double[]> ranks = new HashMap<>();
        for (int i = 0; i < sorted.length; i++) {
            double[] sum = ranks.computeIfAbsent(sorted[i], value -> new double[2]);
            sum[0] += i + 1;
            sum[1]++;
        }
        return Arrays.stream(values)
                .map(value -> ranks.get(value)[0] / ranks.get(value)[1])
                .toArray();
    }

    private static double autocorrelation(double[] ranks) {
        double n = ranks.length;
        double mean = (n + 1) / 2;
        double neighbours = 0;
        double squares = 0;
        for (int i = 0; i < ranks.length; i++) {
            squares += (ranks[i] - mean) * (ranks[i] - mean);
            neighbours += i == 0 ? 0 : (ranks[i - 1] - mean) * (ranks[i] - mean);
        }
        if (squares == 0 || n <= 4) {
            return 0;
        }
        double unbiased = (n * neighbours / squares + 2) / (n - 4);
        return Math.max(0, Math.min(AUTOCORRELATION_MOST, unbiased));
    }

    private static double inflation(double autocorrelation, int n) {
        double sum = 0;
        double power = 1;
        for (int lag = 1; lag < n - 2; lag++) {
            power *= autocorrelation;
            sum += (double) (n - lag) * (n - lag - 1) * (n - lag - 2) * power;
        }
        return n < 3 ? 1 : 1 + 2 * sum / ((double) n * (n - 1) * (n - 2));
    }
}
