package dev.millrace.perf.statistics;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The 95 % interval of a mean by the bootstrap-t (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 12.5), each
 * value drawn with normal noise around it: the smoothed bootstrap (Silverman and Young, Biometrika 74, 1987). The decision record
 * {@code perf/adr/0002-interval-of-few-pairs.md} has what it was chosen from.
 */
final class SmoothedBootstrap {
    /** One below a multiple of 40: then both quantiles are one of the resamples' own. */
    static final int RESAMPLES = 9_999;

    private static final double TAIL = 0.025;
    /** In place k = p (n + 1), as the book counts. */
    private static final Quantile QUANTILE =
            Quantile.withDefaults().withCopy(false).with(Quantile.EstimationMethod.HF6);

    private SmoothedBootstrap() {}

    /** Bounds of a mean. */
    record Bounds(double low, double high) {}

    /**
     * The interval; the same for the same seed.
     *
     * @param values at least two that are not all alike
     * @param mean of them
     * @param deviation their sample standard deviation, above 0
     * @param resamples how many are drawn
     */
    static Bounds ofMean(double[] values, double mean, double deviation, int resamples, long seed) {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(seed);
        ContinuousDistribution.Sampler normal = NormalDistribution.of(0, 1).createSampler(random);
        double root = Math.sqrt(values.length);
        double noise = bandwidth(values.length) * deviation;
        double[] resample = new double[values.length];
        double[] ts = new double[resamples];
        for (int i = 0; i < resamples; i++) {
            for (int j = 0; j < resample.length; j++) {
                resample[j] = values[random.nextInt(values.length)] + noise * normal.sample();
            }
            // The noise also keeps this from ever being a division by 0: without it one resample in 625 of five values
            // has
            // five times the same one, and of values with ties far more have.
            double error = StandardDeviation.of(resample).getAsDouble() / root;
            ts[i] = (Mean.of(resample).getAsDouble() - mean) / error;
        }
        double[] bounds = QUANTILE.evaluate(ts, TAIL, 1 - TAIL);
        double error = deviation / root;
        // The upper quantile makes the lower bound: a mean that comes out too high most likely has its truth far below.
        return new Bounds(mean - bounds[1] * error, mean - bounds[0] * error);
    }

    /**
     * Of the noise, in standard deviations of the values: the normal reference rule (Silverman, Density Estimation, 1986, chapter
     * 3.4.2). The resamples need no shrinking to the values' own variance, as t has no scale.
     */
    private static double bandwidth(int values) {
        return 1.06 * Math.pow(values, -0.2);
    }
}
