package dev.millrace.deploy.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.StackState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConditionTest {
    private static final Map<String, Long> ALL_ALIVE =
            Map.of("supervisor", 1L, "broker", 2L, "store", 3L, "jobmanager", 4L, "taskmanager", 5L, "generator", 6L);

    private static StackState supervisorSays(StackState.State state, String message) {
        return new StackState(state, message, "", 0, Map.of(), "", Options.none(), Options.none());
    }

    private static Optional<FlinkRest.Job> job(String state, int running) {
        return job(state, running, OptionalLong.empty(), OptionalLong.empty());
    }

    private static Optional<FlinkRest.Job> job(
            String state, int running, OptionalLong checkpointTriggered, OptionalLong noCheckpointSince) {
        return Optional.of(new FlinkRest.Job(
                state,
                2,
                4,
                running,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                checkpointTriggered,
                noCheckpointSince));
    }

    private static Optional<GeneratorClient.State> generator(String state, String message) {
        return Optional.of(new GeneratorClient.State(state, message, 0, 0, 0, 0));
    }

    private static Condition seen(
            Map<String, Long> pids, Optional<FlinkRest.Job> job, Optional<GeneratorClient.State> generator) {
        return Condition.of(supervisorSays(StackState.State.RUNNING, ""), pids, job, generator);
    }

    @Test
    @DisplayName("a stack that is being taken down says so, whichever of its parts are gone already")
    void stopping() {
        Condition without = seen(Map.of("supervisor", 1L), Optional.empty(), Optional.empty());
        assertThat(without.orStopping(true)).isEqualTo(new Condition("stopping", "the stack is being taken down"));
        assertThat(without.orStopping(false)).isEqualTo(without);
    }

    @Test
    @DisplayName("everything alive, all tasks running, the generator sending: running")
    void running() {
        assertThat(seen(ALL_ALIVE, job("running", 4), generator("running", "")).state())
                .isEqualTo("running");
    }

    @Test
    @DisplayName("a generator that gets nothing stored is no running stack, however well all processes are")
    void late() {
        Condition ten = seen(
                ALL_ALIVE, job("running", 4), Optional.of(new GeneratorClient.State("running", "", 0, 0, 0, 10_000)));
        assertThat(ten.state()).isEqualTo("running");
        Condition more = seen(
                ALL_ALIVE, job("running", 4), Optional.of(new GeneratorClient.State("running", "", 0, 0, 0, 31_000)));
        assertThat(more.state()).isEqualTo("recovering");
        assertThat(more.message()).contains("31 s behind its schedule");
    }

    @Test
    @DisplayName("nor is one whose checkpoints do not complete: rows are stored by them")
    void noCheckpoint() {
        Condition running = seen(ALL_ALIVE, job("running", 4), generator("running", ""));
        OptionalLong at = OptionalLong.of(1_800_000_000_000L);
        long soon = at.getAsLong() + 60_000;
        Duration second = Duration.ofSeconds(1);
        Optional<FlinkRest.Job> one = job("running", 4, at, OptionalLong.empty());
        Optional<FlinkRest.Job> none = job("running", 4, OptionalLong.empty(), at);
        for (Optional<FlinkRest.Job> job : List.of(one, none)) {
            assertThat(running.withCheckpoint(job, second, soon)).isEqualTo(running);
            assertThat(running.withCheckpoint(job, Duration.ofMinutes(1), soon + 200_000))
                    .isEqualTo(running);
        }
        assertThat(running.withCheckpoint(one, second, soon + 1))
                .isEqualTo(new Condition(
                        "recovering",
                        "no checkpoint was completed since that of 2027-01-15T08:00:00Z, so no row is stored"));
        assertThat(running.withCheckpoint(none, second, soon + 1))
                .isEqualTo(
                        new Condition(
                                "recovering",
                                "no checkpoint was completed since the job's start at 2027-01-15T08:00:00Z, so no row is stored"));
    }

    @Test
    @DisplayName("where nobody says whether there was a checkpoint, none is missed")
    void checkpointsUnknown() {
        Condition running = seen(ALL_ALIVE, job("running", 4), generator("running", ""));
        assertThat(running.withCheckpoint(job("running", 4), Duration.ofSeconds(1), 1_800_000_000_000L))
                .isEqualTo(running);
        assertThat(running.withCheckpoint(Optional.empty(), Duration.ofSeconds(1), 1_800_000_000_000L))
                .isEqualTo(running);
    }

    @Test
    @DisplayName("a process that is down is named, and the stack recovers")
    void processDown() {
        Map<String, Long> pids = new HashMap<>(ALL_ALIVE);
        pids.remove("taskmanager");
        Condition condition = seen(pids, job("running", 4), generator("running", ""));
        assertThat(condition.state()).isEqualTo("recovering");
        assertThat(condition.message()).contains("taskmanager");
    }

    @Test
    @DisplayName("a job whose tasks are not all running recovers")
    void jobRestarts() {
        assertThat(seen(ALL_ALIVE, job("restarting", 0), generator("running", ""))
                        .message())
                .isEqualTo("the job is restarting, 0 of 4 tasks run");
        assertThat(seen(ALL_ALIVE, Optional.empty(), generator("running", "")).state())
                .isEqualTo("recovering");
    }

    @Test
    @DisplayName("a generator that is paused says why")
    void paused() {
        assertThat(seen(ALL_ALIVE, job("running", 4), generator("paused-disk", "1.9 GiB of disk are free")))
                .isEqualTo(new Condition("paused", "1.9 GiB of disk are free"));
        assertThat(seen(ALL_ALIVE, job("running", 4), generator("paused", "")).message())
                .contains("generator resume");
    }

    @Test
    @DisplayName("what the supervisor says counts while the stack is not running")
    void supervisor() {
        assertThat(Condition.of(
                        supervisorSays(StackState.State.FAILED, "the store does not start"),
                        ALL_ALIVE,
                        Optional.empty(),
                        Optional.empty()))
                .isEqualTo(new Condition("failed", "the store does not start"));
    }

    @Test
    @DisplayName("a stack that starts for the second time recovers")
    void startsAgain() {
        StackState.Part again = new StackState.Part(4, "running", 1, "", "", "");
        StackState state = new StackState(
                StackState.State.STARTING,
                "the job is restarting",
                "",
                0,
                Map.of("jobmanager", again),
                "",
                Options.none(),
                Options.none());
        assertThat(Condition.of(state, ALL_ALIVE, Optional.empty(), Optional.empty()))
                .isEqualTo(new Condition("recovering", "the job is restarting"));
    }

    @Test
    @DisplayName("a stack without its supervisor is told how to get one")
    void noSupervisor() {
        Map<String, Long> pids = new HashMap<>(ALL_ALIVE);
        pids.remove("supervisor");
        assertThat(seen(pids, job("running", 4), generator("running", "")).message())
                .contains("millrace up");
    }

    @Test
    @DisplayName("a slow disk below RocksDB and a store that is silent are named, where all else runs")
    void hurtFromOutside() {
        Condition runs = new Condition("running", "");
        assertThat(runs.withDisk(OptionalDouble.of(238)).message()).contains("disk below RocksDB", "238 synced writes");
        assertThat(runs.withDisk(OptionalDouble.of(5_000))).isEqualTo(runs);
        assertThat(runs.withDisk(OptionalDouble.empty())).isEqualTo(runs);
        assertThat(runs.orElseIf(true, "the store does not answer"))
                .isEqualTo(new Condition("recovering", "the store does not answer"));
        Condition failed = new Condition("failed", "why");
        assertThat(failed.orElseIf(true, "the store does not answer").withDisk(OptionalDouble.of(1)))
                .isEqualTo(failed);
    }
}
