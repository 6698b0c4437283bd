package dev.millrace.perf.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.core.audit.AuditResult;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.scenario.Scenario;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Every gate, from both sides. */
class GatesTest {
    private static final List<Long> STEADY = Collections.nCopies(30, 200L);
    private static final AuditResult EQUAL = audit(0, 0);

    private final Gates gates = gates(Optional.empty());

    private static Gates gates(Optional<Scenario.Search> search) {
        return new Gates(new Scenario(
                "mine",
                "A scenario.",
                List.of(),
                "",
                5,
                Figure.CPU_TOTAL,
                Map.of(),
                Map.of(),
                Scenario.Durability.MATCHED,
                0,
                Duration.ZERO,
                Duration.ofSeconds(20),
                search,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Scenario.Checks(0.99, 0.02, 0.05, 1000)));
    }

    @Test
    void aRateThatDoesNotKeepTheObjectiveOfItsSearchIsNotConfirmed() {
        Scenario.Search search = new Scenario.Search(100_000, Duration.ofSeconds(5), 0.05, 50);
        Run run = new Run();
        run.p99 = 51;
        assertThat(gates.reasons(run.evidence(), EQUAL)).isEmpty();
        assertThat(gates(Optional.of(search)).reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "the rate that was found is not confirmed: p99 of sends was 51 ms, the objective is 50 ms");
        run.p99 = 50;
        assertThat(gates(Optional.of(search)).reasons(run.evidence(), EQUAL)).isEmpty();
    }

    @Test
    void whatALowerRateMayTakeAwayIsOverloadAndNothingElse() {
        Scenario.Search search = new Scenario.Search(100_000, Duration.ofSeconds(5), 0.05, 50);
        Run run = new Run();
        run.swapped = 1;
        assertThat(gates(Optional.of(search)).overload(run.evidence())).isEmpty();
        run.p99 = 51;
        run.lateness = 1001;
        assertThat(gates(Optional.of(search)).overload(run.evidence())).hasSize(2);
        assertThat(gates(Optional.of(search)).reasons(run.evidence(), EQUAL)).hasSize(3);
    }

    @Test
    void aRunThatKeepsEveryBoundIsValid() {
        assertThat(gates.reasons(new Run().evidence(), EQUAL)).isEmpty();
        Run atTheBounds = new Run();
        atTheBounds.accepted = 99_000;
        atTheBounds.lateness = 1000;
        atTheBounds.stolen = 0.02;
        atTheBounds.neighbours = 0.05;
        assertThat(gates.reasons(atTheBounds.evidence(), EQUAL)).isEmpty();
    }

    private static EffectiveSettings effective(EffectiveSettings.Sync sync) {
        return new EffectiveSettings("1", 1, "all", sync, "in its words", Map.of());
    }

    @Test
    void aBrokerThatWaitsForItsDiskOrDoesNotTellIsNotMatched() {
        assertThat(gates.durability(effective(EffectiveSettings.Sync.LATER))).isEmpty();
        assertThat(gates.durability(effective(EffectiveSettings.Sync.BEFORE_ACKNOWLEDGEMENT)))
                .containsExactly("the broker waits for its disk before it acknowledges (in its words), and with matched"
                        + " durability none does");
        assertThat(gates.durability(effective(EffectiveSettings.Sync.UNKNOWN)))
                .containsExactly("the broker does not tell whether it waits for its disk before it acknowledges"
                        + " (in its words), and with matched durability none does");
    }

    @Test
    void aRateBelowTheShareThatWasAskedForIsAReason() {
        Run run = new Run();
        run.accepted = 98_900;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly("the broker accepted 98.9 % of the readings that were due; it must be 99.0 % or more");
        run.accepted = 98_960;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "the broker accepted 98.96 % of the readings that were due; it must be 99.00 % or more");
    }

    @Test
    void aGeneratorBehindItsScheduleIsAReason() {
        Run run = new Run();
        run.lateness = 1001;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "the generator was 1001 ms behind its schedule; at most 1000 ms are allowed: the load was"
                                + " not the one that was asked for");
    }

    @Test
    void aPhaseThatHardlyAnyLookSawIsAReason() {
        Run run = new Run();
        run.lags = Collections.nCopies(9, 200L);
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "only 9 looks of the measured phase saw the stack: its lag and lateness are not known");
        run.lags = Collections.nCopies(10, 200L);
        assertThat(gates.reasons(run.evidence(), EQUAL)).isEmpty();
        run.lateness = Double.NaN;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "only 10 looks of the measured phase saw the stack: its lag and lateness are not known");
    }

    @Test
    void aLagThatGrowsByMoreThanASecondOfLoadIsAReason() {
        Run run = new Run();
        run.lags = LongStream.range(0, 30).map(second -> second * 600).boxed().toList();
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "the lag grew by 12000 readings in the measured phase, more than a second of load: the job"
                                + " did not keep up");
    }

    @Test
    void aLagThatWasHighForOneSecondHasNotGrown() {
        Run run = new Run();
        run.lags = LongStream.range(0, 30)
                .map(second -> second == 28 ? 1_000_000 : 100)
                .boxed()
                .toList();
        assertThat(gates.reasons(run.evidence(), EQUAL)).isEmpty();
    }

    @Test
    void timeThatTheHypervisorTookIsAReason() {
        Run run = new Run();
        run.stolen = 0.021;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "the hypervisor, or a quota, took 2.1 % of the processors' time; at most 2.0 % are allowed");
    }

    @Test
    void timeThatOtherProcessesTookIsAReason() {
        Run run = new Run();
        run.neighbours = 0.051;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "processes that are not of this benchmark took 5.1 % of the processors' time; at most 5.0 % are allowed");
    }

    @Test
    void oneSwappedPageIsAReason() {
        Run run = new Run();
        run.swapped = 1;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly("the machine swapped 1 pages; it must not swap");
    }

    @Test
    void aCounterThatCouldNotBeReadIsAReason() {
        Run run = new Run();
        run.accepted = -1;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly(
                        "the counters of generator and job could not be read at both ends of the measured phase");
    }

    @Test
    void aPhaseWithoutMeasuredSendsIsAReason() {
        Run run = new Run();
        run.sends = 0;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly("no send of the measured phase is in the latency log");
    }

    @Test
    void windowsThatDidNotComeAreAReason() {
        Run run = new Run();
        run.rowsCame = false;
        assertThat(gates.reasons(run.evidence(), EQUAL))
                .containsExactly("windows that were due in the measured phase were not in the store in time");
    }

    @Test
    void aLostAndADoubledReadingAreReasonsByTheAuditsWord() {
        assertThat(gates.reasons(new Run().evidence(), audit(1, 0)))
                .singleElement()
                .asString()
                .contains("1 reading lost");
        assertThat(gates.reasons(new Run().evidence(), audit(0, 2)))
                .singleElement()
                .asString()
                .contains("2 doubled");
    }

    @Test
    void allReasonsAreGivenAtOnce() {
        Run run = new Run();
        run.accepted = 1;
        run.stolen = 1;
        run.swapped = 7;
        assertThat(gates.reasons(run.evidence(), audit(1, 0))).hasSize(4);
    }

    private static AuditResult audit(long lost, long doubled) {
        long different = lost + doubled > 0 ? 1 : 0;
        return new AuditResult(
                "window", 0, 1000, 10, 5, 100, 0, 0, different, lost, doubled, 0, false, 0, 0, 0, 0, List.of());
    }

    /** A phase of 20 s at 5,000 readings per second in which all went well. */
    private static final class Run {
        private double accepted = 100_010;
        private double sends = 99_900;
        private double p99 = 20;
        private double lateness = 3;
        private List<Long> lags = STEADY;
        private double stolen = 0.001;
        private double neighbours = 0.01;
        private double swapped;
        private boolean rowsCame = true;

        Evidence evidence() {
            return new Evidence(
                    100_000,
                    accepted,
                    100_000,
                    sends,
                    p99,
                    lateness,
                    lags,
                    5_000,
                    new Disturbance(stolen, neighbours, swapped),
                    0,
                    20,
                    0.1,
                    2000,
                    rowsCame);
        }
    }
}
