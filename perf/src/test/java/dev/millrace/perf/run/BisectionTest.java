package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
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
    void itNeedsFewCandidates() {
        search(1_000, 1_000_000, 0.05, 90_000);
        assertThat(tried).hasSizeLessThanOrEqualTo(12).doesNotHaveDuplicates();
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

    private long search(long start, long most, double precision, long capacity) {
        tried.clear();
        Bisection bisection = new Bisection(start, most, precision);
        for (OptionalLong rate = bisection.candidate(); rate.isPresent(); rate = bisection.candidate()) {
            tried.add(rate.getAsLong());
            bisection.tried(rate.getAsLong() <= capacity);
        }
        return bisection.kept();
    }
}
