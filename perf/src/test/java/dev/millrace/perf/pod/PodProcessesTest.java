package dev.millrace.perf.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.agent.AgentJar;
import dev.millrace.perf.probe.ClockDistance;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.run.stage.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in another process of this machine, asked as a rig asks pods. */
class PodProcessesTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final StackState NOTHING = StackState.of(Map.of());
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Waits until its input ends, and burns some CPU time before. */
    private static final String PROGRAM =
            """
            public class Burns {
                public static void main(String[] arguments) throws Exception {
                    long end = System.nanoTime() + 300_000_000L;
                    while (System.nanoTime() < end) {}
                    while (System.in.read() >= 0) {}
                }
            }
            """;

    @TempDir
    Path folder;

    private int port;
    private Process process;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            port = free.getLocalPort();
        }
        Files.write(folder.resolve("usage.jar"), AgentJar.bytes());
        Files.writeString(folder.resolve("Burns.java"), PROGRAM);
        process = begin();
    }

    private Process begin() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-javaagent:" + folder.resolve("usage.jar") + "=" + LOOPBACK + ":" + port,
                        folder.resolve("Burns.java").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said.txt").toFile());
        builder.environment().put("NODE_NAME", "east");
        return builder.start();
    }

    @AfterEach
    void stop() throws Exception {
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }

    private PodProcesses processes(String node) {
        return new PodProcesses(Map.of(StackState.BROKER, LOOPBACK), port, node);
    }

    private ProcessUse await(PodProcesses processes) throws IOException {
        long deadline = System.nanoTime() + BOUND_NANOS;
        while (true) {
            ProcessUse use = processes.uses(NOTHING).get(StackState.BROKER);
            if (use != null && use.cpu().compareTo(Duration.ofMillis(200)) > 0) {
                return use;
            }
            assertThat(System.nanoTime())
                    .as("the agent answers: " + Files.readString(folder.resolve("said.txt")))
                    .isLessThan(deadline);
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Test
    void anotherProcessTellsWhatTheSystemSaysOfIt() throws IOException {
        PodProcesses processes = processes("west");
        ProcessUse told = await(processes);
        ProcessUse seen = ProcessUse.of(process.pid()).orElseThrow();
        assertThat(told.cpu()).isLessThanOrEqualTo(seen.cpu());
        assertThat(told.residentBytes()).isCloseTo(seen.residentBytes(), within(16.0 * (1 << 20)));
        assertThat(processes.uses(NOTHING)).containsKey(Processes.RIG);
    }

    @Test
    void whatAProcessDoesNotTellIsNotKnownAndNotNothing() throws Exception {
        stop();
        try (ServerSocket agent = new ServerSocket(port, 1, InetAddress.getByName(LOOPBACK))) {
            Thread answers = new Thread(() -> answer(agent, "node east\ncpuNanos 5\n\n", "node east\n\n"));
            answers.start();
            PodProcesses processes = processes("west");
            assertThat(processes.uses(NOTHING).get(StackState.BROKER))
                    .isEqualTo(new ProcessUse(Duration.ofNanos(5), Double.NaN, Double.NaN));
            assertThat(processes.uses(NOTHING)).containsOnlyKeys(Processes.RIG);
            answers.join(TimeUnit.NANOSECONDS.toMillis(BOUND_NANOS));
        }
    }

    /** One answer for each that asks. */
    private static void answer(ServerSocket agent, String... answers) {
        for (String answer : answers) {
            try (Socket asker = agent.accept()) {
                asker.getInputStream().read();
                asker.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aProcessThatWasStartedAgainIsCounted() throws Exception {
        PodProcesses processes = processes("west");
        await(processes);
        assertThat(processes.restarts(NOTHING)).isZero();
        stop();
        assertThat(processes.uses(NOTHING)).containsOnlyKeys(Processes.RIG);
        assertThat(processes.restarts(NOTHING)).isZero();
        process = begin();
        await(processes);
        assertThat(processes.restarts(NOTHING)).isEqualTo(1);
        assertThat(processes.restarts(NOTHING)).isEqualTo(1);
    }

    @Test
    void theClockOfOneMachineIsItsOwnWithinWhatIsUnsure() throws IOException {
        PodProcesses processes = processes("west");
        await(processes);
        List<ClockDistance> clocks = processes.clocks();
        assertThat(clocks).hasSize(1);
        ClockDistance pair = clocks.get(0);
        assertThat(pair.from()).isEqualTo("west");
        assertThat(pair.to()).isEqualTo("east");
        // Half a microsecond for the clocks' own steps.
        assertThat(Math.abs(pair.offsetMillis())).isLessThanOrEqualTo(pair.uncertaintyMillis() + 0.0005);
    }

    @Test
    void aSecondJavaInThePodRunsAllTheSame() throws Exception {
        await(processes("west"));
        Path said = folder.resolve("second.txt");
        Process second = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx64m",
                        "-javaagent:" + folder.resolve("usage.jar") + "=" + LOOPBACK + ":" + port,
                        "-version")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(second.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isZero();
        assertThat(said).content().contains("millrace: this process will not tell what it uses");
    }
}
