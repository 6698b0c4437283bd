package dev.millrace.deploy.local.lifecycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackWatchTest {
    @TempDir
    Path base;

    private RunDirectory directory;
    private ServerProcess supervisor;

    @BeforeEach
    void supervisor() {
        directory = RunDirectory.of(base, "one");
        supervisor = ServerProcess.start("supervisor", directory.supervisorFolder(), List.of("sleep", "60"), Map.of());
    }

    @AfterEach
    void stop() {
        supervisor.stop(Duration.ofSeconds(5));
    }

    private void restarts(int count) {
        StackState.Part part = new StackState.Part(7, "running", count, "", "", "");
        PropertiesFile.write(
                directory.endpointsFile(),
                new StackState(
                                StackState.State.STARTING,
                                "",
                                "",
                                5,
                                Map.of("store", part),
                                "",
                                Options.none(),
                                Options.none())
                        .toProperties());
    }

    private void await(Duration bound, int eachLook) {
        AtomicInteger count = new AtomicInteger(7);
        restarts(7);
        new StackWatch(directory, new PrintWriter(Writer.nullWriter())).await("no rows", bound, supervisor, state -> {
            restarts(count.addAndGet(eachLook));
            return false;
        });
    }

    @Test
    void restartsOfBeforeAreNoFailedStart() {
        assertThatThrownBy(() -> await(Duration.ofSeconds(1), 0))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("no rows within 1 s");
    }

    @Test
    void aPartThatEndsAgainAndAgainIsOne() {
        assertThatThrownBy(() -> await(Duration.ofSeconds(30), 1))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageStartingWith("store ended 3 times while the stack started");
    }
}
