package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whether the interval keeps what it says, in experiments whose truth is known. */
class IntervalCalibrationTest {
    private static final long SEED = 20260720;
    private static final int RESAMPLES = 399;

    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);

    /** The share of experiments in which a difference is seen; {@code b} is {@code factor} times what it would be. */
    private double seen(int experiments, int pairs, DoubleSupplier figure, DoubleSupplier block, double factor) {
        int seen = 0;
        for (int experiment = 0; experiment < experiments; experiment++) {
            double[] a = new double[pairs];
            double[] b = new double[pairs];
            for (int i = 0; i < pairs; i++) {
                double both = block.getAsDouble();
                a[i] = both * figure.getAsDouble();
                b[i] = both * figure.getAsDouble() * factor;
            }
            seen += PairedInterval.of(a, b, RESAMPLES, SEED + experiment).excludesOne() ? 1 : 0;
        }
        return (double) seen / experiments;
    }

    private DoubleSupplier normal() {
        return NormalDistribution.of(100, 3).createSampler(random)::sample;
    }

    @Test
    @DisplayName("five pairs of normal figures without a difference: about one alarm in twenty")
    void fivePairsOfNormalFiguresGiveOneAlarmInTwenty() {
        assertThat(seen(2000, 5, normal(), () -> 1, 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("ten pairs of normal figures without a difference: about one alarm in twenty")
    void tenPairsOfNormalFiguresGiveOneAlarmInTwenty() {
        assertThat(seen(1000, 10, normal(), () -> 1, 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("five pairs of heavy log-normal figures without a difference: about one alarm in twenty")
    void fivePairsOfLogNormalFiguresGiveOneAlarmInTwenty() {
        DoubleSupplier logNormal = LogNormalDistribution.of(4, 0.5).createSampler(random)::sample;
        assertThat(seen(2000, 5, logNormal, () -> 1, 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("a machine that is at half its speed in some blocks makes no more alarms: both of a pair have it")
    void slowBlocksMakeNoMoreAlarms() {
        DoubleSupplier slowForAWhile = () -> random.nextDouble() < 0.3 ? 0.5 : 1;
        assertThat(seen(2000, 5, normal(), slowForAWhile, 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName(
            "a difference of 10 % with 3 % from run to run is found four times in five, with five pairs and with ten")
    void aRealDifferenceIsFound() {
        assertThat(seen(1000, 5, normal(), () -> 1, 1.1)).isGreaterThanOrEqualTo(0.8);
        assertThat(seen(500, 10, normal(), () -> 1, 1.1)).isGreaterThanOrEqualTo(0.8);
    }

    @Test
    @DisplayName("the ratio that is called detectable is found about four times in five")
    void detectableIsFoundFourTimesInFive() {
        // The quantiles 0.975 and 0.80 of t with nine degrees of freedom.
        double detectable = Math.exp((2.2622 + 0.8834) * 0.03 * Math.sqrt(2) / Math.sqrt(10));
        assertThat(seen(1000, 10, normal(), () -> 1, detectable)).isBetween(0.7, 0.9);
    }
}
