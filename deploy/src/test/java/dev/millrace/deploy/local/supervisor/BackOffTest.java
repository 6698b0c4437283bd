package dev.millrace.deploy.local.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private final BackOff backOff = new BackOff();

    private long[] afterLives(int count, Duration life) {
        return LongStream.range(0, count)
                .map(death -> backOff.afterLifeOf(life))
                .toArray();
    }

    @Test
    @DisplayName("who cannot live is started less and less often, and still every few seconds")
    void grows() {
        assertThat(afterLives(6, Duration.ofMillis(200))).containsExactly(1000, 2000, 4000, 5000, 5000, 5000);
    }

    @Test
    @DisplayName("who lived for half a minute is started again at once, and what it did before is forgotten")
    void forgets() {
        afterLives(6, Duration.ofMillis(200));
        assertThat(afterLives(3, Duration.ofSeconds(30))).containsExactly(1000, 1000, 1000);
        assertThat(backOff.afterLifeOf(Duration.ofSeconds(1))).isEqualTo(2000);
    }
}
