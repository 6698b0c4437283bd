package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.deploy.local.Http;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A whole stack by the command that people use, on every broker whose plugin is built. */
@Tag("server")
class StackTest {
    private static final Installation INSTALLATION = Installation.here();

    @TempDir
    Path base;

    static List<String> brokers() {
        return INSTALLATION.builtBrokers();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    @DisplayName(
            "a stack comes up with rows, says so when asked again, resumes with its data, and leaves nothing but logs")
    void aStacksLife(String broker) throws Exception {
        String[] up = {
            "up", "--broker", broker, "--rate", "500", "--devices", "50", "--window", "2s", "--out-of-orderness", "1s"
        };
        try {
            Outcome first = millrace(up);
            assertThat(first.exitCode()).as(first.text()).isZero();
            assertThat(first.text()).contains("windows stored").contains("millrace down");
            RunDirectory directory = RunDirectory.of(base, broker);
            List<Long> pids = pids(directory);
            everyProcessHasMetrics(directory);

            Outcome second = millrace(up);
            assertThat(second.exitCode()).as(second.text()).isZero();
            assertThat(second.text()).contains("nothing changed");
            assertThat(pids(directory)).isEqualTo(pids);

            Outcome other = millrace("up", "--broker", broker, "--rate", "600");
            assertThat(other.exitCode()).as(other.text()).isEqualTo(2);
            assertThat(other.text()).contains("rate: 500 -> 600").contains("millrace down --broker " + broker);

            if (survivesKill(broker)) {
                Outcome kept = millrace("down", "--keep-data");
                assertThat(kept.exitCode()).as(kept.text()).isZero();
                assertThat(processes()).isEmpty();
                Outcome resumed = millrace(up);
                assertThat(resumed.exitCode()).as(resumed.text()).isZero();
                assertThat(resumed.text()).contains("resumes");
            } else {
                Outcome refused = millrace("down", "--keep-data");
                assertThat(refused.exitCode()).as(refused.text()).isEqualTo(2);
            }

            Outcome audit = millrace("audit");
            assertThat(audit.exitCode()).as(audit.text()).isZero();
        } finally {
            Outcome down = millrace("down", "--all");
            assertThat(down.exitCode()).as(down.text()).isZero();
        }
        assertThat(processes()).isEmpty();
        try (Stream<Path> left = Files.list(base.resolve(broker))) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("logs");
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    @DisplayName("a bounded run ends by itself with every window in the store")
    void aBoundedRun(String broker) throws Exception {
        try {
            Outcome up = millrace(
                    "up",
                    "--broker",
                    broker,
                    "--readings",
                    "20000",
                    "--rate",
                    "max",
                    "--devices",
                    "20",
                    "--start",
                    "1700000000000");
            assertThat(up.exitCode()).as(up.text()).isZero();
            assertThat(RunDirectory.of(base, broker).state().orElseThrow().state())
                    .isEqualTo(StackState.State.FINISHED);
            Outcome audit = millrace("audit");
            assertThat(audit.exitCode()).as(audit.text()).isZero();
        } finally {
            millrace("down", "--all");
        }
        assertThat(processes()).isEmpty();
    }

    private static boolean survivesKill(String broker) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            return INSTALLATION.load(broker).capabilities().contains(Capability.SURVIVES_KILL);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static void everyProcessHasMetrics(RunDirectory directory) {
        StackState state = directory.state().orElseThrow();
        for (String name : StackState.NAMES) {
            String url = state.part(name).metricsUrl();
            // A third party's server has metrics of its own, or none.
            if (!name.equals(StackState.BROKER)) {
                assertThat(Http.get(url)).as(name + " at " + url).hasValueSatisfying(text -> assertThat(text)
                        .contains("# TYPE"));
            }
        }
    }

    private static List<Long> pids(RunDirectory directory) {
        StackState state = directory.state().orElseThrow();
        return StackState.NAMES.stream().map(name -> state.part(name).pid()).toList();
    }

    private List<String> processes() {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> command.contains(base.toString()))
                .toList();
    }

    private record Outcome(int exitCode, String text) {}

    private Outcome millrace(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(INSTALLATION.root().resolve("deploy/bin/millrace").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("--run-dir", base.toString()));
        Path output = Files.createTempFile("millrace", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as(Files.readString(output))
                    .isTrue();
            return new Outcome(process.exitValue(), command + "\n" + Files.readString(output));
        } finally {
            process.destroy();
            Files.delete(output);
        }
    }
}
