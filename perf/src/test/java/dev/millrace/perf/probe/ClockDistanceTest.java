package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.perf.probe.ClockDistance.Look;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockDistanceTest {
    @Test
    void theShortestWayCounts() {
        ClockDistance distance = ClockDistance.of(
                "a",
                "b",
                List.of(new Look(9_000_000, 8_000_000), new Look(2_000_000, 400_000), new Look(-5, 1_000_000)));
        assertThat(distance).isEqualTo(new ClockDistance("a", "b", 2, 0.2));
    }

    @Test
    void aClockThatIsAheadHasAPositiveOffset() {
        Look look = ClockDistance.look(() -> 1_000_000_000L, () -> 1_500_000_000L);
        assertThat(look.offsetNanos()).isEqualTo(500_000_000L - look.wayNanos() / 2);
        assertThat(look.wayNanos()).isNotNegative();
    }

    @Test
    void overAThirdMachineUncertaintiesAddUp() {
        ClockDistance pair = new ClockDistance("rig", "a", 3, 0.5).to(new ClockDistance("rig", "b", 1, 0.25));
        assertThat(pair).isEqualTo(new ClockDistance("a", "b", -2, 0.75));
    }

    @Test
    void twoLooksTogetherAllowWhatEitherDoes() {
        ClockDistance both = new ClockDistance("a", "b", 1, 0.5).or(new ClockDistance("a", "b", 2, 0.1));
        assertThat(both.offsetMillis() - both.uncertaintyMillis()).isEqualTo(0.5, within(1e-9));
        assertThat(both.offsetMillis() + both.uncertaintyMillis()).isEqualTo(2.1, within(1e-9));
    }
}
