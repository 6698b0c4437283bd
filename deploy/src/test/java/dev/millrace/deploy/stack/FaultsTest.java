package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("server")
class FaultsTest {
    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(90);

    @TempDir
    Path base;

    static List<String> brokers() {
        return MillraceCommand.brokers();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @DisplayName(
            "every process killed in mid-stream, each in turn: it recovers by itself, the audit is equal, none is late")
    void killedInTurn(String broker) {
        MillraceCommand millrace = new MillraceCommand(base);
        try {
            millrace.run(
                            "up",
                            "--broker",
                            broker,
                            "--rate",
                            "3000",
                            "--devices",
                            "200",
                            "--window",
                            "2s",
                            "--out-of-orderness",
                            "2s",
                            "--checkpoint-interval",
                            "500ms",
                            "--results",
                            "topic")
                    .succeeded();
            List<String> victims = new ArrayList<>(
                    List.of(StackState.TASK_MANAGER, StackState.JOB_MANAGER, StackState.GENERATOR, StackState.STORE));
            if (MillraceCommand.survivesKill(broker)) {
                victims.add(StackState.BROKER);
            }
            for (String victim : victims) {
                double seconds = killAndAwaitRecovery(millrace, victim);
                System.out.printf(Locale.ROOT, "%s: %s killed, new windows after %.1f s%n", broker, victim, seconds);
            }
            String audit = millrace.run("audit", "--topic").succeeded();
            System.out.println(audit);
            assertThat(audit.lines().filter(line -> line.matches("\\s*late\\s+0")))
                    .isNotEmpty();
            assertThat(millrace.run("dead-letters").succeeded()).contains("no dead letters");
        } finally {
            millrace.run("down", "--all").succeeded();
        }
        assertThat(millrace.processes()).isEmpty();
    }

    /** SIGKILL; then seconds until another process stands there and windows of later readings are in the store. */
    private static double killAndAwaitRecovery(MillraceCommand millrace, String victim) {
        long pid = millrace.status().path("pids").path(victim).asLong();
        assertThat(pid).as(victim).isPositive();
        long begun = System.nanoTime();
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
        // A window that ends after the kill holds readings that were sent after it.
        long killedMillis = System.currentTimeMillis();
        millrace.await("windows that end after the kill of " + victim, RECOVERY_BOUND, () -> {
            JsonNode now = millrace.status();
            long another = now.path("pids").path(victim).asLong();
            String end = now.path("lastWindowEnd").asText("");
            return another > 0
                    && another != pid
                    && !end.isEmpty()
                    && !end.equals("null")
                    && java.time.Instant.parse(end).toEpochMilli() > killedMillis;
        });
        return (System.nanoTime() - begun) / 1e9;
    }
}
