package dev.millrace.perf.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PublishMeterTest {
    private static final Duration MICRO = Duration.ofNanos(1000);

    private final AtomicLong micros = new AtomicLong(1_500_400);
    private final PublishMeter meter = new PublishMeter(() -> micros.get() * 1000);

    @Test
    @DisplayName("it is complete with the last receipt, and its rate is from the first offer to that")
    void complete() {
        meter.expect(2, 1, MICRO, Duration.ZERO);
        long first = meter.offering();
        micros.addAndGet(300_000);
        long second = meter.offering();
        micros.addAndGet(200_000);
        meter.stored(second);
        assertThat(meter.await(Duration.ZERO)).isFalse();
        meter.stored(first);
        assertThat(meter.await(Duration.ZERO)).isTrue();
        assertThat(meter.readingsPerSecond()).isEqualTo(4);
        Histogram latencies = meter.latencyMicros();
        assertThat(latencies.getTotalCount()).isEqualTo(2);
        assertThat(latencies.getMinValue()).isBetween(199_000L, 201_000L);
        assertThat(latencies.getMaxValue()).isBetween(499_000L, 501_000L);
    }

    @Test
    @DisplayName("what was offered within the warm-up is counted, and is in no latency")
    void warmUp() {
        meter.expect(2, 1, MICRO, Duration.ofSeconds(1));
        meter.stored(meter.offering());
        micros.addAndGet(1_000_001);
        meter.stored(meter.offering());
        assertThat(meter.await(Duration.ZERO)).isTrue();
        assertThat(meter.latencyMicros().getTotalCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("latencies are whole steps, the first offer's too, as those of the tool beside it")
    void steps() {
        meter.expect(3, 1, Duration.ofMillis(1), Duration.ZERO);
        long first = meter.offering();
        micros.addAndGet(300);
        long second = meter.offering();
        micros.addAndGet(400);
        meter.stored(first);
        meter.stored(second);
        assertThat(meter.latencyMicros().getTotalCount()).isEqualTo(2);
        meter.stored(first - 2);
        assertThat(meter.latencyMicros().getTotalCount()).isEqualTo(2);
    }
}
