package dev.millrace.perf.pod;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.command.Command;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.command.Selection;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.StackAudit;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.StackMeasurement;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace measure}: what the pod runs that measures a stack on a cluster. */
@CommandLine.Command(
        name = "measure",
        hidden = true,
        description = "In a pod of a stack: measure one run of a scenario, and tell it in the pod's log.")
public final class MeasureCommand implements Command {
    /** That the agents of all parts listen at. */
    public static final int USAGE_PORT = 6126;

    /** Beside the first window: this begins when the generator does, and the other pods may still be starting. */
    private static final Duration FIRST_ROW_BOUND = Duration.ofMinutes(10);

    private static final String NODE = "NODE_NAME";

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--scenario", required = true, paramLabel = "FILE", description = "the scenario")
    Path scenario;

    @Option(names = "--id", required = true, paramLabel = "ID", description = "of the run")
    String id;

    @Option(names = "--block", required = true, paramLabel = "N", description = "of the run")
    int block;

    @Option(names = "--run", required = true, paramLabel = "N", description = "which of the benchmark's runs")
    int run;

    @Option(names = "--runs", required = true, paramLabel = "N", description = "of the benchmark")
    int runs;

    @Option(names = "--warm-up", required = true, paramLabel = "TIME", description = "unmeasured")
    String warmUp;

    @Option(names = "--measure", required = true, paramLabel = "TIME", description = "measured")
    String measure;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        RunDirectory directory = selection.stack();
        StackSettings settings = directory
                .settings()
                .orElseThrow(() ->
                        new UserException("there is no " + directory.stackFile() + "; this is no pod of a stack"));
        Scenario timed = ScenarioFile.load(scenario).with(Values.duration(warmUp), Values.duration(measure));
        awaitRows(directory, settings, out);
        Path results = directory.path();
        Run measured = new StackMeasurement(
                        Installation.here(),
                        directory,
                        timed,
                        results,
                        new PodProcesses(hosts(settings.broker()), USAGE_PORT, node()),
                        new Interruption(),
                        line -> RunWords.says(out, line))
                .run(new Turn(id, settings.broker(), block, run, runs, OptionalLong.empty(), null), started);
        try {
            if (!measured.log().isEmpty()) {
                RunWords.file(out, results.resolve(measured.log()));
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot read the run's files: " + e.getMessage(), e);
        }
        RunWords.run(out, measured);
        return Millrace.OK;
    }

    /** Each part has a service of its name, the broker's is the broker's; the generator is in this pod. */
    private static Map<String, String> hosts(String broker) {
        return Map.of(
                StackState.BROKER, broker,
                StackState.STORE, StackState.STORE,
                StackState.JOB_MANAGER, StackState.JOB_MANAGER,
                StackState.TASK_MANAGER, StackState.TASK_MANAGER,
                StackState.GENERATOR, StackState.GENERATOR);
    }

    private static String node() {
        return Optional.ofNullable(System.getenv(NODE))
                .orElseThrow(() -> new UserException(
                        "the environment has no " + NODE + ", the pod's node; a manifest takes it from spec.nodeName"));
    }

    private static void awaitRows(RunDirectory directory, StackSettings settings, PrintWriter out) {
        RunWords.says(out, "waiting for rows");
        Duration bound = FIRST_ROW_BOUND.plus(settings.window()).plus(settings.outOfOrderness());
        try (StoreClient store = StackStore.connect(directory)) {
            StackAudit.Finding finding = new StackAudit(directory, settings, store, null, line -> {}).run(bound);
            if (!finding.ok()) {
                throw new EnvironmentException(
                        "the audit before the run: " + finding.store().sentence());
            }
        }
    }
}
