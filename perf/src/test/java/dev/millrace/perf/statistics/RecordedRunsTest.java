package dev.millrace.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.ArraySampler;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Whether the interval keeps what it says with figures as they are: of runs that were recorded once, of one broker against itself and
 * with some CPU burnt for each reading. How they were recorded is in {@code perf/adr/0002-interval-of-few-pairs.md}.
 */
class RecordedRunsTest {
    private static final long SEED = 20260720;
    private static final int PAIRINGS = 1000;
    private static final int RESAMPLES = 399;

    private static final String FILE = "recorded-runs.csv";
    private static final int BURNT = 1;
    private static final int CPU_SECONDS_PER_MILLION = 2;

    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);

    private final double[] plain = recorded("0");
    private final double[] burnt = recorded("30");

    private static double[] recorded(String burntMicros) {
        try (BufferedReader file = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(RecordedRunsTest.class.getResourceAsStream(FILE)), StandardCharsets.UTF_8))) {
            List<String[]> rows =
                    file.lines().skip(1).map(line -> line.split(",")).toList();
            return rows.stream()
                    .filter(row -> row[BURNT].equals(burntMicros))
                    .mapToDouble(row -> Double.parseDouble(row[CPU_SECONDS_PER_MILLION]))
                    .toArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The share of random pairings in which a difference is seen; no run is in a pairing twice. */
    private double seen(int pairs, boolean burn) {
        double[] a = new double[pairs];
        double[] b = new double[pairs];
        int seen = 0;
        for (int pairing = 0; pairing < PAIRINGS; pairing++) {
            ArraySampler.shuffle(random, plain);
            ArraySampler.shuffle(random, burnt);
            System.arraycopy(plain, 0, a, 0, pairs);
            System.arraycopy(burn ? burnt : plain, burn ? 0 : pairs, b, 0, pairs);
            seen += PairedInterval.of(a, b, RESAMPLES, SEED + pairing).excludesOne() ? 1 : 0;
        }
        return (double) seen / PAIRINGS;
    }

    @Test
    @DisplayName("there are forty runs without a difference, and twenty with one of 10 %")
    void thereAreEnough() {
        assertThat(plain).hasSize(40);
        assertThat(burnt).hasSize(20);
    }

    @Test
    @DisplayName("one broker against itself: about one alarm in twenty, with five pairs, ten and all twenty")
    void oneBrokerAgainstItselfGivesOneAlarmInTwenty() {
        for (int pairs : new int[] {5, 10, 20}) {
            assertThat(seen(pairs, false)).as("%d pairs", pairs).isBetween(0.02, 0.08);
        }
    }

    @Test
    @DisplayName("10 % of CPU burnt for each reading are found four times in five, with twenty pairs")
    void whatIsBurntIsFound() {
        assertThat(seen(20, true)).isGreaterThanOrEqualTo(0.8);
    }

    @Test
    @DisplayName("five pairs of such runs rarely find it, and say themselves that so little is not detectable")
    void tooFewPairsSayThatTheyAreTooFew() {
        assertThat(seen(5, true)).isLessThan(0.8);
        assertThat(detectable(5)).isGreaterThan(1.1);
    }

    /** The mean over random pairings of one broker against itself. */
    private double detectable(int pairs) {
        double sum = 0;
        for (int pairing = 0; pairing < PAIRINGS; pairing++) {
            ArraySampler.shuffle(random, plain);
            sum += PairedInterval.of(
                            Arrays.copyOf(plain, pairs),
                            Arrays.copyOfRange(plain, pairs, 2 * pairs),
                            RESAMPLES,
                            SEED + pairing)
                    .detectable();
        }
        return sum / PAIRINGS;
    }
}
