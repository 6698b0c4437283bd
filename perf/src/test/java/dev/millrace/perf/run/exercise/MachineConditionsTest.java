package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.run.stage.Mark;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Both gates on the machine, from both sides. */
class MachineConditionsTest {
    private static final Mark MARK = at(new MachineUse(0, 0, 0, 0, 0));

    private static Mark at(MachineUse use) {
        OptionalDouble none = OptionalDouble.empty();
        return new Mark(0, 0, none, none, none, none, Map.of(), use);
    }

    private static Exercise.Found found(
            double clockBefore, double clockAfter, Map<String, Long> creditsBefore, Map<String, Long> creditsAfter) {
        Iterator<Double> clock = List.of(clockBefore, clockAfter).iterator();
        Iterator<Map<String, Long>> credits =
                List.of(creditsBefore, creditsAfter).iterator();
        try (MachineConditions conditions = new MachineConditions(true, clock::next, credits::next)) {
            conditions.measureBegins(MARK);
            conditions.measureEnded(MARK);
            return conditions.found();
        }
    }

    private static Exercise.Found clock(double before, double after) {
        return found(before, after, Map.of(), Map.of());
    }

    @Test
    void aClockThatWasSetIsAReason() {
        assertThat(clock(1000, 1050.6).reasons())
                .containsExactly(
                        "the machine's clock was set by +51 ms in the measured phase; at most 50 ms are allowed,"
                                + " as latencies begin at a time by that clock");
        assertThat(clock(1000, 940).reasons())
                .singleElement()
                .asString()
                .startsWith("the machine's clock was set by -60 ms");
    }

    @Test
    void aClockThatStayedIsNone() {
        Exercise.Found found = clock(1000, 1049);
        assertThat(found.reasons()).isEmpty();
        assertThat(found.evidence()).containsEntry("clockStepMillis", 49.0);
    }

    @Test
    void idleTimeIsThatOfThePhaseWithoutWhatTheHypervisorTook() {
        try (MachineConditions conditions = new MachineConditions(true, () -> 0, Map::of)) {
            conditions.measureBegins(at(new MachineUse(1_000, 100, 300, 0, 0)));
            conditions.measureEnded(at(new MachineUse(2_000, 150, 1_200, 0, 0)));
            assertThat(conditions.found().evidence()).containsEntry("idleShare", 0.05);
        }
    }

    @Test
    void whatTheMachineDoesNotCountIsSaidNotToBeLookedAt() {
        assertThat(clock(0, 0).remarks())
                .containsExactly(
                        "not looked at, as this machine does not count it: time that the hypervisor, a quota or other"
                                + " processes took, idle time, swap");
        try (MachineConditions conditions = new MachineConditions(true, () -> 0, Map::of)) {
            conditions.measureBegins(at(new MachineUse(1_000, 100, 300, 0, 0)));
            conditions.measureEnded(at(new MachineUse(2_000, 150, 1_200, 0, 0)));
            assertThat(conditions.found().remarks()).isEmpty();
        }
    }

    @Test
    void creditsThatRanOutInThePhaseAreAReason() {
        Exercise.Found found = found(
                0,
                0,
                Map.of("eth0 bw_in_allowance_exceeded", 7L, "eth0 pps_allowance_exceeded", 2L),
                Map.of("eth0 bw_in_allowance_exceeded", 7L, "eth0 pps_allowance_exceeded", 5L));
        assertThat(found.reasons())
                .containsExactly("the network held the machine back, its credits had run out:"
                        + " eth0 pps_allowance_exceeded grew by 3");
        assertThat(found.evidence()).containsEntry("creditsHeldBack", 3.0);
    }

    @Test
    void creditsThatRanOutBeforeThePhaseAreNone() {
        Map<String, Long> earlier = Map.of("eth0 bw_out_allowance_exceeded", 900L);
        Exercise.Found found = found(0, 0, earlier, earlier);
        assertThat(found.reasons()).isEmpty();
        assertThat(found.evidence()).containsEntry("creditsHeldBack", 0.0);
    }

    @Test
    void whereNothingCountsCreditsTheyAreNotKnown() {
        assertThat(clock(0, 0).evidence()).containsEntry("creditsHeldBack", Double.NaN);
    }

    @Test
    void thisMachinesOwnProbesMakeNoReasonWhenNothingHappens() {
        try (MachineConditions conditions = new MachineConditions(true)) {
            conditions.measureBegins(MARK);
            conditions.measureEnded(MARK);
            Exercise.Found found = conditions.found();
            assertThat(found.evidence().get("clockStepMillis")).isFinite();
            assertThat(found.reasons()).isEmpty();
        }
    }
}
