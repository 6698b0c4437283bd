package dev.millrace.perf.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    @DisplayName("the rate is taken between the two bounds, whatever start and end look like")
    void rate() {
        Samples samples = new Samples();
        samples.add(0, 0);
        samples.add(5_000_000_000L, 50); // a slow start
        for (int second = 6; second <= 14; second++) {
            samples.add(second * 1_000_000_000L, (second - 5) * 100);
        }
        samples.add(60_000_000_000L, 1000); // a slow end
        assertThat(samples.rateBetween(100, 900)).isEqualTo(100);
        assertThat(samples.firstNanos()).isEqualTo(5_000_000_000L);
    }

    @Test
    @DisplayName("a run too short to say gives NaN, never a number")
    void tooShort() {
        Samples samples = new Samples();
        assertThatThrownBy(samples::firstNanos).isInstanceOf(IllegalStateException.class);
        samples.add(1, 1000);
        assertThat(samples.rateBetween(100, 900)).isNaN();
    }
}
