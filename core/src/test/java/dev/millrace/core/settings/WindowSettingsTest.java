package dev.millrace.core.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WindowSettingsTest {
    private static final Duration BOUND = Duration.ofSeconds(5);

    @Test
    @DisplayName("a slice ends behind its reading, also before the epoch")
    void sliceEnd() {
        WindowSettings tumbling = WindowSettings.tumbling(Duration.ofSeconds(10), BOUND);
        assertThat(tumbling.sliceEnd(0)).isEqualTo(10_000);
        assertThat(tumbling.sliceEnd(9_999)).isEqualTo(10_000);
        assertThat(tumbling.sliceEnd(10_000)).isEqualTo(20_000);
        assertThat(tumbling.sliceEnd(-1)).isEqualTo(0);
        assertThat(tumbling.firstWindowEnd(20_000)).isEqualTo(20_000);
    }

    @Test
    @DisplayName(
            "slices are the greatest common divisor; the first window of a slice is the least window end not before it")
    void slidingNotAMultiple() {
        WindowSettings sliding = new WindowSettings(Duration.ofSeconds(10), Duration.ofSeconds(4), BOUND);
        assertThat(sliding.sliceMillis()).isEqualTo(2_000);
        for (long sliceEnd = -20_000; sliceEnd <= 20_000; sliceEnd += 2_000) {
            long expected = -100_000 + 10_000 % 4_000;
            while (expected < sliceEnd) {
                expected += 4_000;
            }
            assertThat(sliding.firstWindowEnd(sliceEnd)).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("a slide of zero or beyond the window is refused")
    void refused() {
        assertThatThrownBy(() -> new WindowSettings(Duration.ofSeconds(1), Duration.ZERO, BOUND))
                .isInstanceOf(UserException.class);
        assertThatThrownBy(() -> new WindowSettings(Duration.ofSeconds(1), Duration.ofSeconds(2), BOUND))
                .hasMessageContaining("slide 2s");
    }
}
