package dev.millrace.perf.run.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventTimeTest {

    @Test
    void withoutAccelerationItIsTheClock() {
        assertThat(EventTime.CLOCK.clockMillis(1_700_000_000_123L)).isEqualTo(1_700_000_000_123L);
        assertThat(EventTime.CLOCK.eventMillis(1_700_000_000_123L)).isEqualTo(1_700_000_000_123L);
    }

    @Test
    void fromItsStartOnItPassesFaster() {
        EventTime time = new EventTime(1_700_000_000_000L, 30);
        // An hour in two minutes.
        assertThat(time.eventMillis(1_700_000_120_000L)).isEqualTo(1_700_003_600_000L);
        assertThat(time.clockMillis(1_700_003_600_000L)).isEqualTo(1_700_000_120_000L);
        assertThat(time.clockMillis(1_700_000_000_000L)).isEqualTo(1_700_000_000_000L);
    }
}
