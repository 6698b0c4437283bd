package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairedIntervalTest {
    private static final double[] A = {100, 50, 100, 110, 90};
    private static final double[] B = {110, 56, 108, 122, 100};

    @Test
    @DisplayName("ratio, effect size and detectable ratio are what the formulas give by hand")
    void figuresAreThoseOfTheFormulas() {
        double[] b = {Math.exp(0.1), Math.exp(0.2), Math.exp(0.3), Math.exp(0.4), Math.exp(0.5)};
        PairedInterval interval = PairedInterval.of(new double[] {1, 1, 1, 1, 1}, b, 1);
        double deviation = Math.sqrt(0.025);
        assertThat(interval.pairs()).isEqualTo(5);
        assertThat(interval.ratio()).isCloseTo(Math.exp(0.3), within(1e-9));
        assertThat(interval.effectSize()).isCloseTo(0.3 / deviation, within(1e-9));
        double t = 2.776445 + 0.940965;
        assertThat(interval.detectable()).isCloseTo(Math.exp(t * deviation / Math.sqrt(5)), within(1e-5));
        assertThat(interval.low()).isBetween(1.0, 1.15);
        assertThat(interval.high()).isBetween(1.58, 1.80);
    }

    @Test
    @DisplayName("the same seed makes the same interval, another seed nearly the same")
    void theSeedMakesTheInterval() {
        PairedInterval one = PairedInterval.of(A, B, 7);
        assertThat(PairedInterval.of(A, B, 7)).isEqualTo(one);
        PairedInterval other = PairedInterval.of(A, B, 8);
        assertThat(other).isNotEqualTo(one);
        assertThat(other.low()).isCloseTo(one.low(), within(0.003));
        assertThat(other.high()).isCloseTo(one.high(), within(0.003));
    }

    @Test
    @DisplayName("sides that change places invert the ratio and its bounds")
    void swappedSidesInvertTheRatio() {
        PairedInterval there = PairedInterval.of(A, B, 7);
        PairedInterval back = PairedInterval.of(B, A, 7);
        assertThat(back.ratio()).isCloseTo(1 / there.ratio(), within(1e-9));
        assertThat(back.low()).isCloseTo(1 / there.high(), within(0.003));
        assertThat(there.excludesOne()).isTrue();
        assertThat(back.excludesOne()).isTrue();
    }

    @Test
    @DisplayName("what slows both runs of a pair alike changes nothing")
    void aSlowBlockChangesNothing() {
        double[] a = A.clone();
        double[] b = B.clone();
        a[2] *= 0.1;
        b[2] *= 0.1;
        assertThat(PairedInterval.of(a, b, 7).low())
                .isCloseTo(PairedInterval.of(A, B, 7).low(), within(1e-9));
    }

    @Test
    @DisplayName("four pairs have a ratio, and nothing that needs their spread")
    void fourPairsHaveOnlyARatio() {
        PairedInterval interval = PairedInterval.of(Arrays.copyOf(A, 4), Arrays.copyOf(B, 4), 1);
        assertThat(interval.ratio()).isCloseTo(1.102, within(0.001));
        assertThat(interval.isKnown()).isFalse();
        assertThat(interval.excludesOne()).isFalse();
        assertThat(interval.effectSize()).isNaN();
        assertThat(interval.detectable()).isNaN();
        assertThat(PairedInterval.of(new double[0], new double[0], 1).ratio()).isNaN();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    @DisplayName("one value that has no ratio leaves none for all: leaving its pair out would hide the extreme one")
    void aValueWithoutRatioLeavesNone(double value) {
        double[] b = B.clone();
        b[3] = value;
        PairedInterval interval = PairedInterval.of(A, b, 1);
        assertThat(interval.ratio()).isNaN();
        assertThat(interval.isKnown()).isFalse();
        assertThat(PairedInterval.of(b, A, 1).ratio()).isNaN();
        assertThat(interval.pairs()).isEqualTo(5);
    }

    @Test
    @DisplayName("equal figures are no difference, and a point: no spread makes no infinity")
    void equalFiguresAreNoDifference() {
        PairedInterval interval = PairedInterval.of(A, A, 1);
        assertThat(interval).isEqualTo(new PairedInterval(5, 1, 1, 1, Double.NaN, 1));
        assertThat(interval.excludesOne()).isFalse();
        assertThat(interval.isPoint()).isTrue();
    }

    @Test
    @DisplayName("equal ratios other than one are a point and a difference, whatever their division rounds to")
    void equalRatiosAreADifference() {
        double[] b = Arrays.stream(A).map(value -> value * 1.1).toArray();
        PairedInterval interval = PairedInterval.of(A, b, 1);
        assertThat(interval.isPoint()).isTrue();
        assertThat(interval.ratio()).isCloseTo(1.1, within(1e-9));
        assertThat(interval.excludesOne()).isTrue();
    }

    @Test
    @DisplayName("coarse figures, four pairs of five alike, have a finite interval")
    void tiesHaveAFiniteInterval() {
        PairedInterval interval = PairedInterval.of(new double[] {5, 5, 5, 5, 5}, new double[] {5, 5, 5, 5, 6}, 1);
        assertThat(interval.low()).isBetween(0.8, 1.0);
        assertThat(interval.high()).isBetween(1.05, 1.5);
    }

    @Test
    @DisplayName("figures without partners are refused")
    void figuresWithoutPartnersAreRefused() {
        assertThatThrownBy(() -> PairedInterval.of(new double[2], new double[3], 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partners");
    }
}
