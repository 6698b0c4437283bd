package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnpairedIntervalTest {
    /** Quantiles of t with 5.88 degrees of freedom. */
    private static final double T975 = 2.45882;

    private static final double T800 = 0.90707;
    private static final double[] A = {100, 96, 103, 99, 101};
    private static final double[] B = {110, 111, 107, 113, 108, 109};

    private static double[] exp(double... logs) {
        return Arrays.stream(logs).map(Math::exp).toArray();
    }

    @Test
    @DisplayName("ratio, bounds and detectable ratio are what Welch's formulas give by hand")
    void figuresAreThoseOfTheFormulas() {
        UnpairedInterval interval = UnpairedInterval.of(exp(0.1, 0.2, 0.3, 0.4, 0.5), exp(0.2, 0.4, 0.6, 0.8, 1.0));
        // Variances of the means are 0.005 and 0.02, so there are 0.025^2 / (0.005^2 / 4 + 0.02^2 / 4) = 5.88 degrees
        // of freedom.
        double error = Math.sqrt(0.025);
        assertThat(interval.ratio()).isCloseTo(Math.exp(0.3), within(1e-9));
        assertThat(interval.low()).isCloseTo(Math.exp(0.3 - T975 * error), within(1e-4));
        assertThat(interval.high()).isCloseTo(Math.exp(0.3 + T975 * error), within(1e-4));
        assertThat(interval.detectable()).isCloseTo(Math.exp((T975 + T800) * error), within(1e-4));
        assertThat(interval.excludesOne()).isFalse();
    }

    @Test
    @DisplayName("sides that change places invert the ratio and its bounds")
    void swappedSidesInvertTheRatio() {
        UnpairedInterval there = UnpairedInterval.of(A, B);
        UnpairedInterval back = UnpairedInterval.of(B, A);
        assertThat(there.excludesOne()).isTrue();
        assertThat(back.ratio()).isCloseTo(1 / there.ratio(), within(1e-9));
        assertThat(back.low()).isCloseTo(1 / there.high(), within(1e-9));
        assertThat(back.high()).isCloseTo(1 / there.low(), within(1e-9));
        assertThat(back.detectable()).isCloseTo(there.detectable(), within(1e-9));
    }

    @Test
    @DisplayName("the order of runs changes nothing: no run has a partner")
    void theOrderChangesNothing() {
        double[] b = {109, 108, 113, 107, 111, 110};
        assertThat(UnpairedInterval.of(A, b).low())
                .isCloseTo(UnpairedInterval.of(A, B).low(), within(1e-9));
    }

    @Test
    @DisplayName("four runs on either side have a ratio, and nothing that needs their spread")
    void fourRunsHaveOnlyARatio() {
        for (UnpairedInterval interval : new UnpairedInterval[] {
            UnpairedInterval.of(Arrays.copyOf(A, 4), B), UnpairedInterval.of(A, Arrays.copyOf(B, 4))
        }) {
            assertThat(interval.ratio()).isCloseTo(1.1, within(0.01));
            assertThat(interval.isKnown()).isFalse();
            assertThat(interval.excludesOne()).isFalse();
            assertThat(interval.detectable()).isNaN();
        }
        assertThat(UnpairedInterval.of(A, new double[0]).ratio()).isNaN();
        assertThat(UnpairedInterval.of(new double[0], A).ratio()).isNaN();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    @DisplayName("one value that has no ratio leaves none for all")
    void aValueWithoutRatioLeavesNone(double value) {
        double[] b = B.clone();
        b[3] = value;
        assertThat(UnpairedInterval.of(A, b).ratio()).isNaN();
        assertThat(UnpairedInterval.of(b, A).isKnown()).isFalse();
    }

    @Test
    @DisplayName("a result held against itself has the ratio 1, and an interval about it")
    void againstItselfTheRatioIsOne() {
        UnpairedInterval interval = UnpairedInterval.of(A, A);
        assertThat(interval.ratio()).isEqualTo(1);
        assertThat(interval.low()).isLessThan(1);
        assertThat(interval.high()).isGreaterThan(1);
    }

    @Test
    @DisplayName("sides without any spread make a point, equal or not; a spread on one side is enough for an interval")
    void noSpreadMakesAPoint() {
        double[] five = {5, 5, 5, 5, 5};
        assertThat(UnpairedInterval.of(five, five)).isEqualTo(new UnpairedInterval(5, 5, 1, 1, 1, 1));
        UnpairedInterval six = UnpairedInterval.of(five, new double[] {6, 6, 6, 6, 6, 6});
        assertThat(six.isPoint()).isTrue();
        assertThat(six.excludesOne()).isTrue();
        assertThat(six.ratio()).isCloseTo(1.2, within(1e-9));
        UnpairedInterval ties = UnpairedInterval.of(five, new double[] {5, 5, 5, 5, 6});
        assertThat(ties.low()).isBetween(0.9, 1.0);
        assertThat(ties.high()).isBetween(1.05, 1.2);
    }
}
