package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class BisectionTest {
    private final List<Long> tried = new ArrayList<>();

    @Test
    void theGreatestRateThatIsKeptIsFoundWithinThePrecision() {
        for (long capacity : new long[] {900, 1_000, 1_001, 23_456, 99_999}) {
            long found = search(1_000, 1_000_000, 0.05, capacity);
            assertThat(found).isLessThanOrEqualTo(capacity).isGreaterThan((long) (capacity / 1.051));
        }
    }

    @Test
    void aSpanOfOneReadingEndsIt() {
        assertThat(search(1_000, 1_000_000, 0.001, 900)).isEqualTo(900);
    }

    @Test
    void itNeedsFewCandidates() {
        search(1_000, 1_000_000, 0.05, 90_000);
        assertThat(tried).hasSizeLessThanOrEqualTo(15).doesNotHaveDuplicates();
    }

    @Test
    void nothingAboveTheMostIsTried() {
        assertThat(search(1_000, 10_000, 0.05, 50_000)).isEqualTo(10_000);
        assertThat(tried).containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 10_000L);
    }

    @Test
    void aStackThatKeepsNoRateEndsTheSearch() {
        assertThat(search(1_000, 10_000, 0.05, 0)).isZero();
        assertThat(tried).containsExactly(1_000L, 500L, 250L, 125L, 100L);
    }

    @Test
    void capacitiesThatAreLessThanThePrecisionApartAreApartInTheMeanOfRuns() {
        double mean = IntStream.range(0, 200)
                .mapToDouble(run -> Math.log((double) search(10_000, 1_000_000, 0.1, 109_500, new Random(run))
                        / search(10_000, 1_000_000, 0.1, 100_500, new Random(1000 + run))))
                .average()
                .orElseThrow();
        assertThat(Math.exp(mean)).isCloseTo(109.5 / 100.5, Percentage.withPercentage(1.5));
    }

    private long search(long start, long most, double precision, long capacity) {
        return search(start, most, precision, capacity, new Random(1));
    }

    private long search(long start, long most, double precision, long capacity, Random random) {
        tried.clear();
        Bisection bisection = new Bisection(start, most, precision, random);
        for (OptionalLong rate = bisection.candidate(); rate.isPresent(); rate = bisection.candidate()) {
            tried.add(rate.getAsLong());
            bisection.tried(rate.getAsLong() <= capacity);
        }
        return bisection.kept();
    }
}
