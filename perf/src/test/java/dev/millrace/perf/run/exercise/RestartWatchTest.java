package dev.millrace.perf.run.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A run in which something started again does not count. */
class RestartWatchTest {
    @Test
    void aRunInWhichNothingDidCounts() {
        Exercise.Found found = RestartWatch.found(0, 0, "");
        assertThat(found.reasons()).isEmpty();
        assertThat(found.evidence()).containsEntry("restarts", 0.0).containsEntry("jobRestarts", 0.0);
    }

    @Test
    void aProcessThatWasStartedAgainIsAReason() {
        // The JobManager counts anew when it is the one.
        assertThat(RestartWatch.found(1, Double.NaN, "").reasons())
                .containsExactly("the supervisor had to start a process again (1 times)");
        assertThat(RestartWatch.reasons("in the drain ", 2))
                .containsExactly("in the drain the supervisor had to start a process again (2 times)");
        assertThat(RestartWatch.reasons("in the drain ", 0)).isEmpty();
    }

    @Test
    void aJobThatWentOnFromACheckpointIsAReason() {
        assertThat(RestartWatch.found(0, 2, "java.io.IOException: planted").reasons())
                .containsExactly("the job started again from a checkpoint 2 times, so its rate and lag are not known:"
                        + " java.io.IOException: planted");
        assertThat(RestartWatch.found(0, 1, "").reasons())
                .containsExactly("the job started again from a checkpoint 1 times, so its rate and lag are not known:"
                        + " the cause is not known");
    }

    @Test
    void aJobOfWhichItIsNotKnownIsAReason() {
        assertThat(RestartWatch.found(0, Double.NaN, "").reasons())
                .containsExactly(
                        "whether the job started again from a checkpoint is not known: the JobManager's metrics"
                                + " could not be read");
    }
}
