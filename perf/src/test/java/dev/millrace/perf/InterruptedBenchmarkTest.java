package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.ResultJson;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A person ends a benchmark: a process of its own, since what it does then it does in hooks. */
@Tag("server")
class InterruptedBenchmarkTest {
    private static final String SCENARIO = "quick";
    private static final Duration BOUND = Duration.ofSeconds(90);

    @TempDir
    Path base;

    @ParameterizedTest
    @CsvSource({"the generator by itself, 0, 0", "starting, 1, 0", "warm-up, 1, 6", "measure, 1, 6"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    @DisplayName("whenever a benchmark is ended, nothing of it runs on, and what was measured is kept and says so")
    void ended(String said, int runs, int processesThen) throws Exception {
        Path output = base.resolve("said.txt");
        Installation installation = Installation.here();
        String floor = ScenarioFile.load(installation.root().resolve("perf/scenarios"), SCENARIO)
                .floor();
        Process benchmark = new ProcessBuilder(
                        installation.root().resolve("deploy/bin/millrace").toString(),
                        "benchmark",
                        "--scenario",
                        SCENARIO,
                        "--brokers",
                        floor,
                        "--pairs",
                        "1",
                        "--up",
                        "rate=1000",
                        "--run-dir",
                        base.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            awaitSaid(said, output, benchmark);
            // What is looked for at the end can be seen.
            assertThat(processes()).hasSizeGreaterThanOrEqualTo(processesThen);
            benchmark.destroy();
            assertThat(benchmark.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            String text = Files.readString(output);
            assertThat(benchmark.exitValue()).as(text).isEqualTo(128 + 15);
            assertThat(text).contains("report: ").doesNotContain("Exception");
            assertThat(processes()).isEmpty();
        } finally {
            benchmark.destroyForcibly();
            Millrace.run("down", "--all", "--run-dir", base.toString());
        }
        Path folder = onlyFolder(base.resolve("results"));
        BenchmarkResult result = ResultJson.read(ResultFile.in(folder));
        assertThat(result.interrupted()).isTrue();
        assertThat(result.runs()).hasSize(runs).noneMatch(Run::isValid);
        assertThat(result.runs())
                .allSatisfy(run -> assertThat(run.reasons()).anyMatch(reason -> reason.contains("interrupted")));
        assertThat(folder.resolve("report.html")).content().contains("INTERRUPTED");
    }

    private static void awaitSaid(String said, Path output, Process benchmark) throws IOException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!Files.readString(output).contains(said)) {
            assertThat(benchmark.isAlive() && System.nanoTime() < deadline)
                    .as("says '" + said + "': " + Files.readString(output))
                    .isTrue();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private List<String> processes() {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> command.contains(base.toString()))
                .toList();
    }

    private static Path onlyFolder(Path results) throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            return folders.findFirst().orElseThrow();
        }
    }
}
