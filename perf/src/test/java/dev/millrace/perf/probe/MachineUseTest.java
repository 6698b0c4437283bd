package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineUseTest {
    @Test
    void sharesAreOfWhatWasCountedBetweenTwoLooks() {
        MachineUse before = MachineUse.parse(
                List.of("cpu  100 10 50 800 20 0 10 10 7 7", "cpu0 1 2 3 4 5 6 7 8 9 10"),
                List.of("nr_free_pages 5", "pswpin 3", "pswpout 4"));
        MachineUse after =
                MachineUse.parse(List.of("cpu  150 10 70 900 25 0 15 30 99 99"), List.of("pswpin 3", "pswpout 6"));
        MachineUse between = after.since(before);
        assertThat(between.totalTicks()).isEqualTo(200);
        assertThat(between.stolenShare()).isEqualTo(0.1);
        assertThat(between.busyShare()).isEqualTo(0.375);
        assertThat(between.swappedPages()).isEqualTo(2);
    }

    @Test
    void aMachineThatCountsNothingHasNoShares() {
        MachineUse nothing = MachineUse.parse(List.of(), List.of());
        assertThat(nothing.since(nothing).stolenShare()).isZero();
        assertThat(nothing.swappedPages()).isZero();
    }
}
