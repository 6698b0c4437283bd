package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineUseTest {
    @Test
    void sharesAreOfWhatWasCountedBetweenTwoLooks() {
        MachineUse before = MachineUse.parse(
                List.of("cpu  100 10 50 800 20 0 10 10 7 7", "cpu0 1 2 3 4 5 6 7 8 9 10"),
                List.of("nr_free_pages 5", "pswpin 3", "pswpout 4"),
                new BitSet());
        MachineUse after = MachineUse.parse(
                List.of("cpu  150 10 70 900 25 0 15 30 99 99"), List.of("pswpin 3", "pswpout 6"), new BitSet());
        MachineUse between = after.since(before);
        assertThat(between.totalTicks()).isEqualTo(200);
        assertThat(between.stolenShare()).isEqualTo(0.1);
        assertThat(between.busyShare()).isEqualTo(0.375);
        assertThat(between.swappedPages()).isEqualTo(2);
    }

    @Test
    void onlyProcessorsThatMayBeUsedAreCounted() {
        List<String> stat = List.of(
                "cpu  120 0 0 900 0 0 0 30",
                "cpu0 60 0 0 0 0 0 0 20",
                "cpu1 60 0 0 0 0 0 0 10",
                "cpu10 0 0 0 900 0 0 0 0");
        BitSet two = new BitSet();
        two.set(0, 2);
        MachineUse full = MachineUse.parse(stat, List.of(), two);
        assertThat(full.idleShare()).isZero();
        assertThat(full.stolenShare()).isEqualTo(0.2);
        assertThat(MachineUse.parse(stat, List.of(), new BitSet()).idleShare()).isGreaterThan(0.8);
    }

    @Test
    void aMachineThatCountsNothingHasNoShares() {
        MachineUse nothing = MachineUse.parse(List.of(), List.of(), new BitSet());
        assertThat(nothing.since(nothing).stolenShare()).isZero();
        assertThat(nothing.swappedPages()).isZero();
    }
}
