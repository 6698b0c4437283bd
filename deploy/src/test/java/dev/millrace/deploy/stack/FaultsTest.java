package dev.millrace.deploy.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
    /** Several times the out-of-orderness; the contract's silence is longer than any time-out. */
    private static final Duration SILENCE = Duration.ofSeconds(8);

    private static final List<String> BESIDE_THE_BROKER =
            List.of(StackState.TASK_MANAGER, StackState.JOB_MANAGER, StackState.GENERATOR, StackState.STORE);

    @TempDir
    Path base;

    static List<String> brokers() {
        String named = System.getProperty("millrace.test.broker");
        return named == null ? MillraceCommand.durableBrokers() : List.of(named);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @DisplayName(
            "processes killed in mid-stream, each in turn, and a silent broker: it recovers by itself, the audit is equal,"
                    + " none is late")
    void hurtInTurn(String broker) {
        MillraceCommand millrace = new MillraceCommand(base);
        try {
            millrace.run(
                            "up",
                            "--broker",
                            broker,
                            "--rate",
                            "1000",
                            "--devices",
                            "100",
                            "--window",
                            "2s",
                            "--out-of-orderness",
                            "2s",
                            "--checkpoint-interval",
                            "500ms",
                            "--results",
                            "topic")
                    .succeeded();
            for (String victim : victims(broker)) {
                double seconds = killAndAwaitRecovery(millrace, victim);
                System.out.printf(Locale.ROOT, "%s: %s killed, new windows after %.1f s%n", broker, victim, seconds);
            }
            double seconds = silenceAndAwaitRecovery(millrace);
            System.out.printf(Locale.ROOT, "%s: silent, new windows %.1f s after it spoke again%n", broker, seconds);
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

    /**
     * The broker's own process, and of the others, which are the same on every broker, this broker's share: all brokers together
     * see every fault, in half the time. {@code -Dmillrace.test.broker=NAME} gives all of them to one.
     */
    private static List<String> victims(String broker) {
        List<String> brokers = brokers();
        int share = brokers.indexOf(broker);
        List<String> victims = new ArrayList<>();
        for (int i = 0; i < BESIDE_THE_BROKER.size(); i++) {
            if (i % brokers.size() == share) {
                victims.add(BESIDE_THE_BROKER.get(i));
            }
        }
        victims.add(StackState.BROKER);
        return victims;
    }

    /** SIGKILL; then seconds until another process stands there and windows of later readings are in the store. */
    private static double killAndAwaitRecovery(MillraceCommand millrace, String victim) {
        long pid = millrace.status().path("pids").path(victim).asLong();
        assertThat(pid).as(victim).isPositive();
        long begun = System.nanoTime();
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly)).contains(true);
        long killedMillis = System.currentTimeMillis();
        millrace.await("windows that end after the kill of " + victim, RECOVERY_BOUND, () -> {
            JsonNode now = millrace.status();
            long another = now.path("pids").path(victim).asLong();
            return another > 0 && another != pid && hasWindowsAfter(now, killedMillis);
        });
        return (System.nanoTime() - begun) / 1e9;
    }

    /** A window that ends after a fault holds readings that were sent after it. */
    private static boolean hasWindowsAfter(JsonNode status, long millis) {
        String end = status.path("lastWindowEnd").asText("");
        return !end.isEmpty() && !end.equals("null") && Instant.parse(end).toEpochMilli() > millis;
    }

    /** SIGSTOP of the broker, SIGCONT; then seconds until windows of later readings are in the store. */
    private static double silenceAndAwaitRecovery(MillraceCommand millrace) {
        long pid = millrace.status().path("pids").path(StackState.BROKER).asLong();
        MillraceCommand.signal(pid, "STOP");
        long begun = System.nanoTime();
        millrace.await("the silence is over", RECOVERY_BOUND, () -> System.nanoTime() - begun > SILENCE.toNanos());
        MillraceCommand.signal(pid, "CONT");
        long continued = System.nanoTime();
        long continuedMillis = System.currentTimeMillis();
        millrace.await(
                "windows that end after the silence",
                RECOVERY_BOUND,
                () -> hasWindowsAfter(millrace.status(), continuedMillis));
        assertThat(millrace.status().path("pids").path(StackState.BROKER).asLong())
                .as("nobody restarted a broker that was only silent")
                .isEqualTo(pid);
        return (System.nanoTime() - continued) / 1e9;
    }
}
