package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The job's processes become others")
class ReplacementTest {
    @TempDir
    Path base;

    @Test
    @DisplayName("a checkpoint of the old TaskManager that began after the order is none of the new one")
    void sinceTheNewProcess() {
        try (OutputPause pause = OutputPause.begin("none", RunDirectory.of(base, "one"))) {
            Replacement job = new Replacement(of(5, 6), pause);
            long ordered = job.sinceMillis(of(5, 6));
            long later = passed(ordered);
            assertThat(job.sinceMillis(of(5, 0))).as("the old one is gone").isEqualTo(ordered);
            assertThat(pause.isCut()).isFalse();
            long replaced = job.sinceMillis(of(5, 7));
            assertThat(replaced).isGreaterThanOrEqualTo(later);
            assertThat(pause.isCut()).isTrue();
            passed(replaced);
            assertThat(job.sinceMillis(of(5, 8))).as("only the first counts").isEqualTo(replaced);
        }
    }

    /** Waits until the clock is beyond that time, and returns it. */
    private static long passed(long millis) {
        while (System.currentTimeMillis() <= millis) {
            LockSupport.parkNanos(100_000);
        }
        return System.currentTimeMillis();
    }

    private static StackState of(long jobManager, long taskManager) {
        return new StackState(
                StackState.State.RUNNING,
                "",
                "",
                5,
                Map.of(StackState.JOB_MANAGER, part(jobManager), StackState.TASK_MANAGER, part(taskManager)),
                "",
                Options.none(),
                Options.none());
    }

    private static StackState.Part part(long pid) {
        return new StackState.Part(pid, "running", 0, "", "", "");
    }
}
