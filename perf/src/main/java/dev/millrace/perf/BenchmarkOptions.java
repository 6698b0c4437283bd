package dev.millrace.perf;

import dev.millrace.core.process.ProcessLock;
import dev.millrace.core.process.StopHook;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.price.Prices;
import dev.millrace.perf.comparison.Benchmark;
import dev.millrace.perf.comparison.Ground;
import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.cost.Instances;
import dev.millrace.perf.report.MarkdownReport;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.ResultJson;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.round.RoundOptions;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.scenario.ScenarioFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Picocli mixin: what a benchmark of brokers is asked for, wherever its runs are made; and making it. */
public final class BenchmarkOptions {
    /** Makes what the runs stand on. */
    @FunctionalInterface
    public interface Grounds {
        /**
         * @param file that the scenario is from; its phases may be others
         * @param options of {@code millrace up} beyond the scenario's, by name
         * @param base where stacks keep their data while they are measured, and results are kept
         */
        Ground of(Installation installation, Scenario scenario, Path file, Map<String, String> options, Path base);
    }

    private static final long STOP_SECONDS = 150;
    private static final long STOP_LOOK_MILLIS = 200;
    private static final Duration MOST = Duration.ofHours(24);

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description = "of perf/scenarios, such as quick, or the path of a file")
    @Nullable
    String scenarioName;

    @Option(
            names = "--brokers",
            paramLabel = "BROKER",
            split = ",",
            description = "which brokers; the others are held against the first (default: the scenario's)")
    List<String> brokers = List.of();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description =
                    "blocks with one run of each broker; under 5 no interval is a verdict (default: the scenario's)")
    @Nullable
    Integer pairs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "of the order of runs and of the intervals (default: ${DEFAULT-VALUE})")
    long seed;

    @Option(names = "--warm-up", paramLabel = "TIME", description = "another warm-up than the scenario's")
    @Nullable
    String warmUp;

    @Option(names = "--measure", paramLabel = "TIME", description = "another measured phase than the scenario's")
    @Nullable
    String measure;

    @Option(
            names = "--up",
            paramLabel = "KEY=VALUE",
            description =
                    "any other option of `millrace up`, for every broker alike (broker.KEY not for the floor); may be repeated;"
                            + " $${env:NAME} in a value is that environment variable")
    List<String> upOptions = List.of();

    @Option(
            names = "--instances",
            paramLabel = "NAME=TYPE*N,..",
            description = {
                "what this runs on, such as broker=i7i.2xlarge*3,clients=c5.2xlarge*2; then the report has the cost per",
                "10^9 readings, by the prices of deploy/infrastructure/prices"
            })
    @Nullable
    String instances;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "where stacks are while they are measured, and results (default: .millrace/benchmark)")
    @Nullable
    Path runDir;

    @Option(names = "--dry-run", description = "check everything, print the order of runs, start nothing")
    boolean dryRun;

    @Option(names = "--json", description = "print the result as one JSON document")
    boolean json;

    /**
     * Checks everything and, unless a person only wants to see the order of runs, makes them.
     *
     * @param grounds of the scenario and the options that are meant
     * @return the command's exit code
     */
    public int run(Grounds grounds) {
        Installation installation = Installation.here();
        Path scenarios = installation.root().resolve("perf").resolve("scenarios");
        if (scenarioName == null) {
            throw new UserException("say which scenario: millrace benchmark --scenario NAME; there are: "
                    + String.join(", ", ScenarioFile.names(scenarios)));
        }
        Path base = RoundOptions.runDir(installation, runDir);
        Benchmark benchmark = benchmark(installation, ScenarioFile.find(scenarios, scenarioName), grounds, base);
        benchmark.check();
        progress("order (seed " + seed + "): " + String.join(" ", benchmark.order()));
        return dryRun ? Millrace.OK : measure(benchmark, base);
    }

    private Benchmark benchmark(Installation installation, Path file, Grounds grounds, Path base) {
        Scenario scenario = ScenarioFile.load(file);
        List<String> problems = new ArrayList<>();
        RoundOptions.once("--brokers", brokers, problems);
        Map<String, String> options = RoundOptions.options(upOptions, problems);
        int blocks = pairs == null ? scenario.pairs() : pairs;
        RoundOptions.check(
                problems, blocks >= 1 && blocks <= 100, "--pairs is " + blocks + "; it must be from 1 to 100");
        Scenario timed = scenario.with(
                time("--warm-up", warmUp, scenario.warmUp(), Duration.ZERO, problems),
                time("--measure", measure, scenario.measure(), Duration.ofSeconds(1), problems));
        Cost cost = cost(installation, problems);
        RoundOptions.check(
                problems,
                scenario.decides() != Figure.COST || cost.isKnown(),
                "scenario " + scenario.name() + " decides by " + Figure.COST.key()
                        + ": name with --instances what it runs on, types that all have a price");
        RoundOptions.refuse(problems);
        List<String> unpriced = Cost.withoutPrice(cost.settings());
        if (!unpriced.isEmpty()) {
            progress("no price for " + String.join(", ", unpriced) + " in " + Prices.FOLDER
                    + ": the report will have no cost");
        }
        Ground ground = grounds.of(installation, timed, file, options, base);
        List<String> chosen = Optional.of(brokers)
                .filter(named -> !named.isEmpty())
                .orElseGet(() ->
                        scenario.brokers().isEmpty() ? built(installation, scenario, ground) : scenario.brokers());
        boolean hasFloor = !scenario.floor().isEmpty()
                && !chosen.contains(scenario.floor())
                && installation.builtBrokers().contains(scenario.floor())
                && ground.has(scenario.floor());
        return new Benchmark(
                ground, timed, chosen, hasFloor ? scenario.floor() : "", blocks, seed, cost, base, this::progress);
    }

    private Cost cost(Installation installation, List<String> problems) {
        if (instances == null) {
            return Cost.unknown();
        }
        Prices prices = Prices.in(installation.root().resolve(Prices.FOLDER));
        return Cost.of(Instances.parse(instances, prices.types(), problems), prices);
    }

    private static Duration time(
            String option, @Nullable String text, Duration otherwise, Duration least, List<String> problems) {
        try {
            Duration time = text == null ? otherwise : Values.duration(text);
            RoundOptions.check(
                    problems,
                    time.compareTo(least) >= 0 && time.compareTo(MOST) <= 0,
                    option + " is '" + text + "'; it must be from " + least.toSeconds() + "s to 24h");
            return time;
        } catch (IllegalArgumentException e) {
            problems.add(option + ": " + e.getMessage());
            return otherwise;
        }
    }

    private static List<String> built(Installation installation, Scenario scenario, Ground ground) {
        return installation.builtBrokers().stream()
                .filter(broker -> !broker.equals(scenario.floor()) && ground.has(broker))
                .toList();
    }

    @SuppressWarnings("try") // a lock and a hook are held, not used
    private int measure(Benchmark benchmark, Path base) {
        CountDownLatch ended = new CountDownLatch(1);
        try (ProcessLock alone = RoundOptions.alone(base);
                StopHook ends = new StopHook("benchmark-stop", () -> stop(benchmark, ended))) {
            Benchmark.Finished finished = benchmark.run();
            PrintWriter out = spec.commandLine().getOut();
            out.print(json ? ResultJson.write(finished.result()) + "\n" : MarkdownReport.of(finished.result()));
            out.flush();
            progress("report: " + finished.report());
            return isWhole(finished.result()) ? Millrace.OK : Millrace.OWN_FAULT;
        } finally {
            ended.countDown();
        }
    }

    /** The hook of Ctrl-C: the benchmark's own thread ends the run, takes the stack down and writes what was measured. */
    private void stop(Benchmark benchmark, CountDownLatch ended) {
        benchmark.interrupt();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        try {
            while (!ended.await(STOP_LOOK_MILLIS, TimeUnit.MILLISECONDS) && System.nanoTime() < deadline) {
                Optional<Benchmark.Finished> finished = benchmark.finishWhileStarting();
                if (finished.isPresent()) {
                    progress("interrupted; report: " + finished.get().report());
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isWhole(BenchmarkResult result) {
        boolean everyBroker = result.subjects().stream().allMatch(subject -> result.runs().stream()
                .anyMatch(run -> run.subject().equals(subject.name()) && run.isValid()));
        return everyBroker
                && !result.interrupted()
                && result.runs().stream().filter(run -> !run.audit().isEmpty()).allMatch(Run::auditEqual);
    }

    private void progress(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }
}
