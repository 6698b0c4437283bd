package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.perf.burst.Arrangement;
import dev.millrace.perf.burst.ResultRows;
import dev.millrace.perf.burst.SendComparison;
import dev.millrace.perf.burst.SendResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.Processes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BurstFoundTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static BurstFound.Timed burst(long rows, long due, long first, long last, long missing, long repeated) {
        return new BurstFound.Timed(new ResultRows.Burst(0, rows, first, last, missing, 0, repeated), due);
    }

    private static final List<BurstFound.Timed> THREE = List.of(
            burst(1_000, 10_000, 10_100, 12_000, 0, 0),
            burst(1_200, 20_000, 20_300, 24_000, 0, 0),
            burst(900, 30_000, 30_200, 33_000, 0, 0));

    private static Sample sample(double broker, double job, double rig) {
        return new Sample(
                1,
                Phases.MEASURE,
                null,
                null,
                null,
                null,
                null,
                Map.of("broker", broker, "taskmanager", job, Processes.RIG, rig),
                Map.of());
    }

    private static Exercise.Found found(List<BurstFound.Timed> bursts, double restarts, String why) {
        return found(bursts, new BurstFound.Backlog(5_000, 5_000), restarts, why);
    }

    private static Exercise.Found found(
            List<BurstFound.Timed> bursts, BurstFound.Backlog backlog, double restarts, String why) {
        return new BurstFound(
                        bursts,
                        backlog,
                        restarts,
                        why,
                        LIMIT,
                        List.of(sample(0.5, 1.0, 0.25), sample(0.75, 0.5, 1.0)),
                        Map.of(
                                Arrangement.POOLED,
                                new SendComparison.Found(
                                        new SendResult(1_000, 990, 10, 0, 0, 2_000, 31_000, 64, 1_500), 400)))
                .found();
    }

    @Test
    void figuresAreTheMediansOfTheBurstsAndTheGreatestSecond() {
        Exercise.Found found = found(THREE, 0, "");
        assertThat(found.reasons()).isEmpty();
        assertThat(found.figures())
                // 2 s, 4 s and 3 s; 500, 300 and 300 rows a second; this process is not part of the stack.
                .containsOnly(
                        Map.entry(Figure.BURST_EMPTY, 3_000.0),
                        Map.entry(Figure.BURST_RATE, 300.0),
                        Map.entry(Figure.CORES_MAX, 1.5));
        assertThat(found.evidence())
                .containsEntry("bursts", 3.0)
                .containsEntry("burstRows", 3_100.0)
                .containsEntry("usedCoresMax.broker", 0.75)
                .containsEntry("usedCoresMax.rig", 1.0)
                .containsEntry("sends.pooled.expired", 10.0)
                .containsEntry("sends.pooled.rowsPerSecond", 495.0);
        assertThat(found.remarks())
                .containsExactly(
                        "3 bursts, 3,100 rows in all, at most 1,200 in one: the last row of a burst was in the result"
                                + " topic 3.0 s after it was due (median; 4.0 s at worst), the first after 0.2 s (median)",
                        "no send of the job exceeded the limit of 30.0 s: one that does starts the job again, and it did"
                                + " not; every row of the store is in the topic, once",
                        "most cores in a second: broker 0.75, rig 1.00, taskmanager 1.00; all together 1.50",
                        "1,000 rows sent by a pool of threads that each wait for their send, with the load paused: 2.0 s,"
                                + " 495 rows/s, threads at once 64, longest send 31.00 s, CPU 1.5 s of the sender and"
                                + " 0.4 s of the broker, 10 expired");
    }

    @Test
    void aRowThatIsNotInTheTopicIsAReasonAndItsBurstHasNoTime() {
        List<BurstFound.Timed> one = List.of(burst(1_000, 10_000, 10_100, 11_000, 7, 0));
        Exercise.Found found = found(one, 0, "");
        assertThat(found.reasons())
                .containsExactly(
                        "the result topic is not the store: 7 rows of the bursts are missing and 0 are surplus");
        assertThat(found.figures()).containsOnlyKeys(Figure.CORES_MAX);
        assertThat(found.evidence()).containsEntry("burstRowsMissing", 7.0);
    }

    @Test
    void aJobThatStartedAgainIsAReasonWithItsCause() {
        List<BurstFound.Timed> one = List.of(burst(1_000, 10_000, 10_100, 11_000, 0, 40));
        Exercise.Found found = found(one, 2, "TimeoutException: 12 records expired");
        assertThat(found.reasons())
                .containsExactly("the job started again from its checkpoint 2 times; a send that expires does that:"
                        + " TimeoutException: 12 records expired");
        assertThat(found.remarks())
                .contains("the job started again 2 times, as it does when a send exceeds the limit of 30.0 s; every row"
                        + " of the store is in the topic, with 40 repetitions");
    }

    @Test
    void aJobThatIsBehindByMoreThanABurstIsAReason() {
        assertThat(found(THREE, new BurstFound.Backlog(5_001, 5_000), 0, "").reasons())
                .containsExactly(
                        "the job was 5,001 readings behind when the measured phase began, more than the 5,000 that"
                                + " come between two bursts: a burst waited for them; take a longer warm-up");
    }

    @Test
    void withoutABurstAndWithoutMetricsARunSaysNothing() {
        assertThat(found(List.of(), Double.NaN, "").reasons())
                .containsExactly(
                        "no burst was due in the measured phase that the store has rows of; take a longer phase",
                        "it is not known whether a send expired: the JobManager's metrics could not be read");
    }
}
