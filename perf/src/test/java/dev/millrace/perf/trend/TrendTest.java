package dev.millrace.perf.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrendTest {
    /** The flow of the Nile at Aswan, 1871 to 1970 (Cobb, Biometrika 65, 1978): a well-known series with a fall and a memory. */
    private static final double[] NILE = {
        1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140,
        1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969,
        831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759, 781, 865,
        845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050,
        918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740
    };

    @Test
    void scoreAndVarianceOfFiveValuesAreThoseOfPencilAndPaper() {
        // Of ten pairs eight rise and two fall; 5 * 4 * 15 / 18; the median of ten slopes is between 1 and 1.25.
        Trend trend = Trend.ofAny(steps(5), new double[] {5, 6, 11, 8, 10});
        assertThat(trend.score()).isEqualTo(6);
        assertThat(trend.variance()).isCloseTo(50 / 3.0, within(1e-12));
        assertThat(trend.perHour()).isEqualTo(1.125);
        assertThat(trend.pOfIndependent()).isCloseTo(0.220671, within(1e-6));
    }

    @Test
    void tiesMakeTheVarianceSmaller() {
        // Two of one value and three of another: 5 * 4 * 15 - 2 * 1 * 9 - 3 * 2 * 11 = 216.
        Trend trend = Trend.ofAny(steps(5), new double[] {1, 1, 2, 2, 2});
        assertThat(trend.score()).isEqualTo(6);
        assertThat(trend.variance()).isEqualTo(12);
    }

    @Test
    void theNileFalls() {
        // Score, variance, slope and the p of independent years are those of pyMannKendall 1.4 and of R's packages.
        Trend trend = Trend.of(steps(100), NILE);
        assertThat(trend.score()).isEqualTo(-1387);
        assertThat(trend.variance()).isCloseTo(112728.3333, within(1e-4));
        assertThat(trend.perHour()).isCloseTo(-2.6, within(1e-9));
        assertThat(trend.pOfIndependent()).isCloseTo(3.658262921664e-5, within(1e-12));
        // Worked out once more with NumPy and SciPy: 0.356443 as estimated, without its bias, and what follows.
        assertThat(trend.autocorrelation()).isCloseTo(0.392128043, within(1e-8));
        assertThat(trend.inflation()).isCloseTo(2.227317963, within(1e-8));
        assertThat(trend.p()).isCloseTo(0.005674476, within(1e-8));
    }

    @Test
    void aSeriesThatStandsStillHasNoTrend() {
        Trend trend = Trend.of(steps(40), new double[40]);
        assertThat(trend.p()).isEqualTo(1);
        assertThat(trend.perHour()).isZero();
    }

    @Test
    void oneJumpOfAFewBlocksIsNoTrend() {
        double[] values = noise(new Random(3), 120, 0);
        for (int i = 100; i < 104; i++) {
            values[i] += 1000;
        }
        Trend trend = Trend.of(steps(120), values);
        assertThat(trend.p()).isGreaterThan(0.01);
        assertThat(trend.perHour()).isCloseTo(0, within(0.02));
    }

    @Test
    void fewBlocksAreRefused() {
        assertThatThrownBy(() -> Trend.of(steps(29), new double[29]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("29 blocks; it takes 30");
    }

    @Test
    void falseAlarmsAreAboutAsRareAsTheTestSays() {
        // Simulated, with a fixed seed: of series without a trend, how many have p < 0.05.
        assertThat(alarms(120, 0)).isBetween(0.01, 0.06);
        assertThat(alarms(120, 0.5)).isBetween(0.02, 0.10);
        assertThat(alarms(30, 0)).isBetween(0.01, 0.06);
        assertThat(alarms(30, 0.3)).isBetween(0.02, 0.10);
    }

    @Test
    void withoutTheCorrectionAMemoryLooksLikeATrend() {
        Random random = new Random(11);
        long alarms = IntStream.range(0, 400)
                .filter(i -> Trend.of(steps(120), noise(random, 120, 0.5)).pOfIndependent() < 0.05)
                .count();
        assertThat(alarms / 400.0).isGreaterThan(0.15);
    }

    @Test
    void aTrendAsLargeAsTheNoiseIsSeen() {
        Random random = new Random(5);
        long seen = IntStream.range(0, 100)
                .filter(i -> {
                    double[] values = noise(random, 120, 0.3);
                    for (int block = 0; block < values.length; block++) {
                        values[block] += 3.0 * block / values.length;
                    }
                    return Trend.of(steps(120), values).p() < 0.01;
                })
                .count();
        assertThat(seen).isGreaterThan(90);
    }

    private static double alarms(int blocks, double memory) {
        Random random = new Random(7);
        int series = 600;
        long alarms = IntStream.range(0, series)
                .filter(i ->
                        Trend.of(steps(blocks), noise(random, blocks, memory)).p() < 0.05)
                .count();
        return (double) alarms / series;
    }

    /** Each value keeps so much of the one before it; the first are let go, as they know nothing yet. */
    private static double[] noise(Random random, int blocks, double memory) {
        double value = 0;
        for (int i = 0; i < 50; i++) {
            value = memory * value + random.nextGaussian();
        }
        double[] values = new double[blocks];
        for (int i = 0; i < blocks; i++) {
            value = memory * value + random.nextGaussian();
            values[i] = value;
        }
        return values;
    }

    private static double[] steps(int count) {
        return IntStream.range(0, count).asDoubleStream().toArray();
    }
}
