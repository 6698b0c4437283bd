package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Saturation;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What is made of the arrangements of a fan-out. */
class FanOutFindingsTest {
    private static final Scenario.FanOut SETTINGS = new Scenario.FanOut(3, Duration.ofSeconds(10), 0.2, 0.05);

    private static Mark mark(double accepted, int cpuSeconds, int atSecond) {
        return new Mark(
                0,
                atSecond * 1_000_000_000L,
                OptionalDouble.of(accepted),
                OptionalDouble.of(accepted),
                OptionalDouble.of(accepted),
                OptionalDouble.of(0),
                Map.of(StackState.BROKER, new ProcessUse(Duration.ofSeconds(cpuSeconds), 0, 0)),
                new MachineUse(0, 0, 0, 0, 0));
    }

    /** Ten seconds with 1000 readings of 100 bytes a second. */
    private static FanOutStep step(FanOutArrangement arrangement, long... readings) {
        List<FanOutStep.Group> groups = new ArrayList<>();
        for (long one : readings) {
            groups.add(new FanOutStep.Group(one, 10_000 - one, 4, 40 + groups.size(), 500, 2.5));
        }
        double copier = arrangement.copies() ? 3 : 0;
        return new FanOutStep(arrangement, 10, 10_000, 100, groups, 6, 12, copier, 2e6, 1.5e6, 0.4, List.of());
    }

    private static Exercise.Found found(FanOutStep... steps) {
        return found(1000, steps);
    }

    private static Exercise.Found found(double wantedPerSecond, FanOutStep... steps) {
        return new FanOutFindings(SETTINGS, wantedPerSecond, 0.99, mark(0, 0, 0), mark(20_000, 5, 20), List.of(steps))
                .found();
    }

    @Test
    void figuresAreOfWhatWasDelivered() {
        Exercise.Found found = found(
                step(FanOutArrangement.GROUPS, 10_000, 10_000, 10_000),
                step(FanOutArrangement.COPIES, 10_000, 10_000, 10_000));
        assertThat(found.figures())
                .containsEntry(Figure.FAN_OUT_RATE, 3000.0)
                .containsEntry(Figure.FAN_OUT_CPU, 600.0)
                .containsEntry(Figure.FAN_OUT_COPIES_CPU, 700.0)
                .containsEntry(Figure.FAN_OUT_COPIES_WRITTEN, 2.0);
        assertThat(found.evidence())
                .containsEntry("fanOut.groups.brokerCpuSecondsPerMillionDelivered", 200.0)
                .containsEntry("fanOut.groups.storedPerPayloadByte", 1.5)
                .containsEntry("fanOut.copies.copierCpuSecondsPerMillionDelivered", 100.0);
        assertThat(found.reasons()).isEmpty();
    }

    @Test
    void everyArrangementHasItsSentences() {
        assertThat(found(step(FanOutArrangement.SLOW_GROUP, 10_000, 9_990, 2_000))
                        .remarks())
                .containsExactly(
                        "fan-out, before it (the job alone reads): 1,000 readings/s accepted; the broker used 0.25 cores.",
                        "fan-out, 3 groups on one topic, one of them slow: of 1,000 readings/s each group but the slow one"
                                + " got at least 999/s, all together 2,199/s. The slow one got 200/s and was 8,000 readings"
                                + " behind. From the intended send time to a group it took 41 ms (p99); 10 readings were not"
                                + " confirmed at the end. CPU per million delivered: broker 272.85 s, readers 545.70 s. The"
                                + " broker used 0.60 cores. Per payload byte it wrote 2.00 bytes, and its data grew by 1.50."
                                + " 150 commits/s; one kept its group 2.50 ms (p50).");
    }

    @Test
    void whatIsNotSeenOfABrokerIsSaidToBeNotKnown() {
        FanOutStep step = step(FanOutArrangement.GROUPS, 10_000, 10_000, 10_000);
        double unknown = Double.NaN;
        FanOutStep foreign = new FanOutStep(
                step.arrangement(), 10, 10_000, 100, step.groups(), unknown, 12, 0, unknown, unknown, 0.4, List.of());
        assertThat(found(foreign).remarks().get(1))
                .contains(
                        "CPU per million delivered: broker not known, readers 400.00 s. Bytes that it wrote per payload"
                                + " byte: not known; by which its data grew: not known. 150 commits/s")
                .doesNotContain("NaN");
    }

    @Test
    void aWorkerThatIsGoneHasUsedAnUnknownTime() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        assertThat(FanOut.cpuSeconds(gone.pid())).isNaN();
        assertThat(FanOut.cpuSeconds(ProcessHandle.current().pid())).isPositive();
    }

    @Test
    void aGroupThatIsBehindMakesTheRunInvalid() {
        // One second of load and 5 % may be missing: 1500 of 10,000.
        assertThat(found(step(FanOutArrangement.SLOW_GROUP, 10_000, 8_500, 2_000))
                        .reasons())
                .isEmpty();
        assertThat(found(step(FanOutArrangement.SLOW_GROUP, 10_000, 8_499, 2_000))
                        .reasons())
                .containsExactly(
                        "fan-out, 3 groups on one topic, one of them slow: a group that may read everything got 850 of 1,000"
                                + " readings/s; it may miss 5.0 % and a second of load");
        assertThat(found(step(FanOutArrangement.GROUPS, 10_000, 10_000, 8_499)).reasons())
                .containsExactly("fan-out, 3 groups on one topic: a group that may read everything got 850 of 1,000"
                        + " readings/s; it may miss 5.0 % and a second of load");
    }

    @Test
    void anotherLoadThanWasAskedForMakesTheRunInvalid() {
        FanOutStep step = step(FanOutArrangement.GROUPS, 10_000, 10_000, 10_000);
        assertThat(found(1010, step).reasons()).isEmpty();
        assertThat(found(1100, step).reasons())
                .containsExactly(
                        "fan-out, 3 groups on one topic: the broker accepted 90.9 % of the readings that were due;"
                                + " it must be 99.0 % or more");
        assertThat(found(Double.NaN, step).reasons()).isEmpty();
        FanOutStep unknown = new FanOutStep(
                step.arrangement(), 10, Double.NaN, 100, step.groups(), 6, 12, 0, 2e6, 1.5e6, 0.4, List.of());
        assertThat(found(unknown).reasons())
                .singleElement()
                .asString()
                .contains("how many readings the broker accepted is not known");
        assertThat(found(unknown).remarks().get(1))
                .contains("of an unknown number of readings/s each group got at least 1,000/s")
                .doesNotContain("NaN");
    }

    @Test
    void theProcessorsIdleTimeInAnArrangementIsHeldAgainstTheLeast() {
        FanOutStep step = step(FanOutArrangement.GROUPS, 10_000, 10_000, 10_000);
        FanOutStep full = new FanOutStep(
                step.arrangement(), 10, 10_000, 100, step.groups(), 6, 12, 0, 2e6, 1.5e6, 0.05, List.of());
        Run run = Run.unmeasured("01-north", "north", 1, "2026-11-23T09:00:00Z", "no reason")
                .with(Map.of(), Map.of(Saturation.IDLE_SHARE, 0.5), List.of(), List.of());
        assertThat(Saturation.of(run.with(Map.of(), found(step).evidence(), List.of(), List.of())))
                .isFalse();
        assertThat(Saturation.of(run.with(Map.of(), found(full).evidence(), List.of(), List.of())))
                .isTrue();
    }

    @Test
    void whatIsWrongWithAnArrangementIsWrongWithTheRun() {
        FanOutStep step = step(FanOutArrangement.GROUPS, 10_000, 10_000, 10_000);
        FanOutStep wrong = new FanOutStep(
                step.arrangement(), 10, 10_000, 100, step.groups(), 6, 12, 0, 2e6, 1.5e6, 0.4, List.of("lost two"));
        assertThat(found(wrong).reasons()).containsExactly("lost two");
    }
}
