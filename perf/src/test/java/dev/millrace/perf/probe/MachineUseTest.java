package dev.millrace.perf.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;

class MachineUseTest {
    @Test
    void sharesAreOfWhatWasCountedBetweenTwoLooks() {
        MachineUse before = MachineUse.parse(
                List.of("cpu  100 10 50 800 20 0 10 10 7 7", "cpu0 1 2 3 4 5 6 7 8 9 10"),
                List.of("nr_free_pages 5", "pswpin 3", "pswpout 4"),
                new BitSet(),
                50);
        MachineUse after = MachineUse.parse(
                List.of("cpu  150 10 70 900 25 0 15 30 99 99"), List.of("pswpin 3", "pswpout 6"), new BitSet(), 90);
        MachineUse between = after.since(before);
        assertThat(between.totalTicks()).isEqualTo(200);
        assertThat(between.stolenShare()).isEqualTo(0.1);
        assertThat(between.busyShare()).isEqualTo(0.375);
        assertThat(between.swappedPages()).isEqualTo(2);
        // 70 of users and of the system for them; 40 were ours, and interrupts are nobody's.
        assertThat(between.neighbourShare()).isEqualTo(0.15);
    }

    @Test
    void twoClocksThatDisagreeMakeNoNegativeShare() {
        List<String> before = List.of("cpu  100 0 0 0 0 0 0 0");
        List<String> after = List.of("cpu  110 0 0 90 0 0 0 0");
        MachineUse between = MachineUse.parse(after, List.of(), new BitSet(), 62)
                .since(MachineUse.parse(before, List.of(), new BitSet(), 50));
        assertThat(between.neighbourShare()).isZero();
    }

    @Test
    void whatThisProcessAndItsChildrenTakeIsNoNeighbours() throws Exception {
        Assumptions.assumeThat(Path.of("/proc/self/stat")).exists();
        long before = OwnTime.ticks();
        // A grandchild that has ended is in it, too.
        Process child =
                new ProcessBuilder("sh", "-c", "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; :").start();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(OwnTime.ticks() - before).isGreaterThan(5);
    }

    @Test
    void aProcessMayHaveAnyName() {
        assertThat(OwnTime.parse("7 (a) b (c) S 1 7 7 0 -1 4194304 9 9 9 9 1000 200 30 4 20 0 1 0 5"))
                .isEqualTo(1234);
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
        MachineUse full = MachineUse.parse(stat, List.of(), two, 0);
        assertThat(full.idleShare()).isZero();
        assertThat(full.stolenShare()).isEqualTo(0.2);
        assertThat(MachineUse.parse(stat, List.of(), new BitSet(), 0).idleShare())
                .isGreaterThan(0.8);
    }

    @Test
    void swapThatNobodyCountsIsNotKnown() {
        MachineUse before = MachineUse.parse(List.of("cpu  100 0 0 0 0 0 0 0"), List.of(), new BitSet(), 0);
        MachineUse after =
                MachineUse.parse(List.of("cpu  110 0 0 90 0 0 0 0"), List.of("nr_free_pages 5"), new BitSet(), 10);
        Disturbance disturbance = Disturbance.of(after.since(before));
        assertThat(disturbance.stolenShare()).isZero();
        assertThat(disturbance.swappedPages()).isNaN();
        assertThat(disturbance.sentences("in the drain ", 0.02, 0.05))
                .containsExactly("in the drain it is not known whether the machine swapped; it must not swap");
    }

    @Test
    void aMachineThatCountsNothingHasNoShares() {
        MachineUse nothing = MachineUse.parse(List.of(), List.of(), new BitSet(), 0);
        MachineUse between = nothing.since(nothing);
        assertThat(between.stolenShare()).isNaN();
        assertThat(between.busyShare()).isNaN();
        assertThat(between.neighbourShare()).isNaN();
        assertThat(between.idleShare()).isNaN();
        assertThat(Disturbance.of(between)).isEqualTo(new Disturbance(Double.NaN, Double.NaN, Double.NaN));
    }
}
