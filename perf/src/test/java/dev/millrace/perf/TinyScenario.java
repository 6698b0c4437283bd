package dev.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.ResultJson;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs a scenario that is shipped, tiny: none rots, and what a run leaves is there. */
final class TinyScenario {
    private static final Installation HERE = Installation.here();
    private static final Path SCENARIOS = HERE.root().resolve("perf/scenarios");

    /** The same as the quick one but for figures, which are other ones here anyway; that it can be read is ScenarioFileTest's. */
    private static final String SAME_BUT_LONGER = "steady";

    private TinyScenario() {}

    /** The names of those that do something beside the load, or of those that do not: together all that differ. */
    static List<String> shipped(boolean withExercise) {
        return ScenarioFile.names(SCENARIOS).stream()
                .filter(name -> !name.equals(SAME_BUT_LONGER))
                .filter(name -> hasExercise(ScenarioFile.load(SCENARIOS, name)) == withExercise)
                .toList();
    }

    private static boolean hasExercise(Scenario scenario) {
        return scenario.backlog().isPresent()
                || scenario.fanOut().isPresent()
                || scenario.burst().isPresent();
    }

    /** The smallest there is; on the others scenarios are run by people, in their full length. */
    static String broker(String scenario) {
        return ScenarioFile.load(SCENARIOS, scenario).floor();
    }

    /** The scenario, tiny, as a file below {@code base}. */
    static Path file(String scenario, Path base) throws IOException {
        Path tiny = Files.createDirectories(base.resolve("scenarios")).resolve(scenario + ".yaml");
        Files.writeString(
                tiny,
                Files.readString(SCENARIOS.resolve(scenario + ".yaml"))
                        .replaceAll("floor: .*", "")
                        .replaceAll("most: .*", "most: 2000")
                        .replaceAll("step: .*", "step: 1s")
                        .replaceAll("readings: .*", "readings: 60000")
                        .replaceAll("rate: 40000", "rate: 20000")
                        .replaceAll("block: .*", "block: 1s")
                        .replaceAll("checkpointInterval: .*", "checkpointInterval: 300ms")
                        .replaceAll("sendP99Millis: .*", "sendP99Millis: 5000")
                        // A burst of a million rows every minute, here of a hundred every quarter of a second.
                        .replaceAll("devices: 1000000", "devices: 100")
                        .replaceAll("acceleration: .*", "acceleration: 2")
                        .replaceAll("slide: 30m", "slide: 500ms")
                        .replaceAll("taskmanagerMemory: .*", "")
                        .replaceAll("sends: .*", "sends: 200"));
        return tiny;
    }

    /**
     * @param base empty
     * @param up more of {@code --up}, KEY=VALUE
     */
    static void run(String scenario, Path base, String... up) throws IOException {
        String broker = broker(scenario);
        List<String> arguments = new ArrayList<>(List.of(
                "benchmark",
                "--scenario",
                file(scenario, base).toString(),
                "--brokers",
                broker,
                "--pairs",
                "1",
                "--warm-up",
                "1s",
                "--measure",
                "4s",
                "--up",
                "rate=1000",
                "--up",
                "window=1s",
                "--up",
                "out-of-orderness=500ms",
                "--run-dir",
                base.toString()));
        for (String option : up) {
            arguments.addAll(List.of("--up", option));
        }
        int code = Millrace.run(arguments.toArray(String[]::new));
        Path folder = onlyFolder(base.resolve("results"));
        BenchmarkResult result = ResultJson.read(ResultFile.in(folder));
        assertThat(result.order()).containsExactly(broker).hasSameSizeAs(result.runs());
        for (Run run : result.runs()) {
            assertThat(run.auditEqual()).as(run.audit()).isTrue();
            // So short a phase, beside other tests, may lose to them; nothing else may go wrong.
            assertThat(run.reasons())
                    .allMatch(reason -> reason.contains("hypervisor")
                            || reason.contains("not of this benchmark")
                            || reason.contains("behind its schedule")
                            || reason.contains("looks of the measured phase")
                            || reason.contains("take a longer warm-up")
                            || reason.contains("drained too fast to say")
                            || reason.contains("readings that were due"));
            assertThat(run.send()).isNotEmpty();
            assertThat(folder.resolve(run.log())).isNotEmptyFile();
            assertThat(base.resolve(run.subject()).resolve("broker")).doesNotExist();
            assertThat(base.resolve(run.subject()).resolve("benchmark.properties"))
                    .doesNotExist();
        }
        // One broker, one pair; audits are equal.
        assertThat(code).isEqualTo(result.runs().stream().allMatch(Run::isValid) ? Millrace.OK : Millrace.OWN_FAULT);
        assertThat(folder.resolve("report.html")).isNotEmptyFile();
        assertThat(folder.resolve("runs.csv")).isNotEmptyFile();
    }

    private static Path onlyFolder(Path results) throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            return folders.findFirst().orElseThrow();
        }
    }
}
