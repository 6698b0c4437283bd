package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whether the interval keeps what it says, in pairs of results whose truth is known. */
class UnpairedIntervalCalibrationTest {
    private static final int EXPERIMENTS = 4000;

    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(20260720);

    /** The share of experiments in which a difference is seen; {@code b} is {@code factor} times what it would be. */
    private static double seen(int runsA, DoubleSupplier a, int runsB, DoubleSupplier b, double factor) {
        int seen = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            double[] ofA = new double[runsA];
            double[] ofB = new double[runsB];
            for (int i = 0; i < runsA; i++) {
                ofA[i] = a.getAsDouble();
            }
            for (int i = 0; i < runsB; i++) {
                ofB[i] = b.getAsDouble() * factor;
            }
            seen += UnpairedInterval.of(ofA, ofB).excludesOne() ? 1 : 0;
        }
        return (double) seen / EXPERIMENTS;
    }

    private DoubleSupplier normal(double deviation) {
        return NormalDistribution.of(100, deviation).createSampler(random)::sample;
    }

    @Test
    @DisplayName("five runs each of normal figures without a difference: about one alarm in twenty")
    void fiveRunsGiveOneAlarmInTwenty() {
        assertThat(seen(5, normal(3), 5, normal(3), 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("ten runs each of normal figures without a difference: about one alarm in twenty")
    void tenRunsGiveOneAlarmInTwenty() {
        assertThat(seen(10, normal(3), 10, normal(3), 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("heavy log-normal figures without a difference: about one alarm in twenty")
    void logNormalFiguresGiveOneAlarmInTwenty() {
        DoubleSupplier logNormal = LogNormalDistribution.of(4, 0.5).createSampler(random)::sample;
        assertThat(seen(5, logNormal, 5, logNormal, 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("few runs of much spread against many of little make no more alarms, where one spread for both would")
    void unequalSpreadsMakeNoMoreAlarms() {
        assertThat(seen(5, normal(6), 20, normal(1), 1)).isBetween(0.02, 0.08);
        assertThat(seen(20, normal(6), 5, normal(1), 1)).isBetween(0.02, 0.08);
    }

    @Test
    @DisplayName("coarse figures make no more alarms, however many runs there are")
    void coarseFiguresMakeNoMoreAlarms() {
        DoubleSupplier normal = NormalDistribution.of(5, 0.3).createSampler(random)::sample;
        DoubleSupplier whole = () -> Math.rint(normal.getAsDouble());
        assertThat(seen(5, whole, 5, whole, 1)).isLessThan(0.08);
        assertThat(seen(20, whole, 20, whole, 1)).isLessThan(0.08);
    }

    @Test
    @DisplayName("a difference of 10 % with 3 % from run to run is found four times in five, with five runs each")
    void aRealDifferenceIsFound() {
        assertThat(seen(5, normal(3), 5, normal(3), 1.1)).isGreaterThanOrEqualTo(0.8);
        assertThat(seen(5, normal(3), 5, normal(3), 1 / 1.1)).isGreaterThanOrEqualTo(0.8);
    }

    @Test
    @DisplayName("the ratio that is called detectable is found about four times in five")
    void detectableIsFoundFourTimesInFive() {
        // The quantiles 0.975 and 0.80 of t with 18 degrees of freedom.
        double detectable = Math.exp((2.1009 + 0.8620) * 0.03 * Math.sqrt(2.0 / 10));
        assertThat(seen(10, normal(3), 10, normal(3), detectable)).isBetween(0.7, 0.9);
    }

    @Test
    @DisplayName(
            "what slows one session as a whole is an alarm that more runs make more frequent: no interval knows it")
    void aSlowSessionIsAnAlarm() {
        DoubleSupplier slow = normal(3);
        assertThat(seen(5, normal(3), 5, slow, 1.02)).isLessThan(seen(20, normal(3), 20, slow, 1.02));
    }
}
