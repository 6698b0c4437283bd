package dev.millrace.perf.comparison;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.cost.Cost;
import dev.millrace.perf.report.Reports;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.ResultFile;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.round.ShownSettings;
import dev.millrace.perf.run.Runs;
import dev.millrace.perf.run.StackMeasurement;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.statistics.Comparisons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A scenario on several brokers, whole: every run, and after each of them the files of the result so far. Used by one thread. */
public final class Benchmark {
    private static final String NO_BUDGET =
            "The memory budget is not enforced: each process is bounded by its own settings, and"
                    + " a broker may use as much page cache as there is. Figures with intervals, no verdict.";
    private static final String UNMATCHED =
            "Durability is not matched: the brokers have different numbers of replicas. Figures with intervals, no verdict.";
    private static final String NO_FLOOR =
            "There is no VALID run of a floor: it is not known how much of these figures is the rig's own.";
    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Ground ground;
    private final Scenario scenario;
    private final List<String> brokers;
    private final String floor;
    private final int pairs;
    private final long seed;
    private final Cost cost;
    private final Path base;
    private final Consumer<String> progress;
    private final Interruption interruption = new Interruption();
    private final List<List<String>> blocks;
    private volatile @Nullable UnderWay underWay;
    private Rig rig = Rig.unknown();

    /**
     * @param ground for the same scenario
     * @param brokers the first is what the others are held against
     * @param floor a broker that has one run, before all others; empty for none
     * @param cost of what this runs on
     * @param base results are kept below it
     * @param progress takes a line now and then
     */
    public Benchmark(
            Ground ground,
            Scenario scenario,
            List<String> brokers,
            String floor,
            int pairs,
            long seed,
            Cost cost,
            Path base,
            Consumer<String> progress) {
        this.ground = ground;
        this.scenario = scenario;
        this.brokers = List.copyOf(brokers);
        this.floor = floor;
        this.pairs = pairs;
        this.seed = seed;
        this.cost = cost;
        this.base = base;
        this.progress = progress;
        this.blocks = Blocks.of(brokers, pairs, seed);
    }

    /** As {@link Ground#check}; nothing is started. */
    public void check() {
        ground.check(brokers, floor);
    }

    /** Subjects in the order of their runs. */
    public List<String> order() {
        List<String> order = new ArrayList<>();
        if (!floor.isEmpty()) {
            order.add(floor);
        }
        blocks.forEach(order::addAll);
        return order;
    }

    private List<String> subjects() {
        List<String> subjects = new ArrayList<>(brokers);
        if (!floor.isEmpty()) {
            subjects.add(floor);
        }
        return subjects;
    }

    /** Ends the run that is under way, which is kept as INVALID, and makes no other. Thread-safe. */
    public void interrupt() {
        interruption.ask();
    }

    /**
     * Makes all runs.
     *
     * @return the result, and where its files are
     */
    public Finished run() {
        LocalDateTime now = LocalDateTime.now();
        String id = scenario.name() + "-" + FOLDER.format(now);
        Path folder = base.resolve("results").resolve(id);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new EnvironmentException("cannot make the folder " + folder + ": " + e.getMessage(), e);
        }
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Map<String, String> environment = ground.environment();
        List<String> order = order();
        List<Run> done = new ArrayList<>();
        long startNanos = System.nanoTime();
        rig = ground.rig(interruption, progress);
        BenchmarkResult result = result(id, started, environment, done);
        for (int i = 0; i < order.size() && !interruption.isAsked(); i++) {
            Duration left = left(i, order.size(), startNanos);
            String head = head(i, order, left);
            Runs runs = ground.runs(folder, interruption, line -> progress.accept(head + line));
            Turn turn = new Turn(
                    String.format(Locale.ROOT, "%02d-%s", i + 1, order.get(i)),
                    order.get(i),
                    block(i),
                    i + 1,
                    order.size(),
                    rig.most(),
                    left == null ? null : Instant.now().plus(left).truncatedTo(ChronoUnit.SECONDS));
            underWay = new UnderWay(runs, () -> {
                List<Run> all = new ArrayList<>(done);
                all.add(turn.interrupted());
                return finished(result(id, started, environment, all), folder);
            });
            Run run = rig.judge(cost.in(runs.run(turn)));
            done.add(run);
            progress.accept(head + said(run));
            result = result(id, started, environment, done);
            ResultFile.write(result, folder);
        }
        // Who ended it may have done so after the last result was made.
        boolean isWhole = done.size() == order.size();
        return finished(isWhole ? result : result(id, started, environment, done), folder);
    }

    private static Finished finished(BenchmarkResult result, Path folder) {
        ResultFile.write(result, folder);
        return new Finished(result, Reports.write(result, folder));
    }

    /** The run that is being made, and how the benchmark ends without it. */
    private record UnderWay(Runs runs, Supplier<Finished> finish) {}

    /**
     * Ends the benchmark for a process that ends: while a stack is being brought up {@link #run} does not return any more, so what
     * was measured is kept by this. Empty when no stack is being brought up: then {@link #run} returns. Thread-safe.
     */
    public Optional<Finished> finishWhileStarting() {
        UnderWay now = underWay;
        return now != null && now.runs().isStarting() ? Optional.of(now.finish().get()) : Optional.empty();
    }

    /**
     * What there is at the end.
     *
     * @param report the HTML file
     */
    public record Finished(BenchmarkResult result, Path report) {}

    /** If the other runs take as long as those that were made; null before the first of them. */
    private static @Nullable Duration left(int index, int runs, long startNanos) {
        return index == 0
                ? null
                : Duration.ofNanos(System.nanoTime() - startNanos)
                        .dividedBy(index)
                        .multipliedBy(runs - index);
    }

    /** Which run, and how much time is left. */
    private static String head(int index, List<String> order, @Nullable Duration left) {
        String time = left == null ? "" : ", about " + (left.toSeconds() + 59) / 60 + " min left";
        return String.format(Locale.ROOT, "[%d/%d %s%s] ", index + 1, order.size(), order.get(index), time);
    }

    private static String said(Run run) {
        return run.isValid() ? "VALID, audit equal" : "INVALID: " + String.join("; ", run.reasons());
    }

    /** 0 is the floor's; the others count from 1. */
    private int block(int index) {
        int first = floor.isEmpty() ? 0 : 1;
        return index < first ? 0 : (index - first) / brokers.size() + 1;
    }

    private BenchmarkResult result(String id, String started, Map<String, String> environment, List<Run> runs) {
        List<BenchmarkResult.Subject> subjects = subjects().stream()
                .map(broker -> new BenchmarkResult.Subject(broker, broker, version(broker, runs), broker.equals(floor)))
                .toList();
        boolean enforced = StackMeasurement.budgetWasEnforced(runs);
        Map<String, String> settings = ShownSettings.of(ground.up());
        settings.put("warm-up", scenario.warmUp().toSeconds() + "s");
        settings.put("measure", scenario.measure().toSeconds() + "s");
        settings.put(
                "durability",
                scenario.durability().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        settings.putAll(scenario.demands());
        settings.putAll(cost.settings());
        settings.put("pairs", Integer.toString(pairs));
        settings.put("memory", ground.memory());
        return new BenchmarkResult(
                BenchmarkResult.SCHEMA,
                id,
                scenario.name(),
                scenario.description(),
                settings,
                started,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                interruption.isAsked(),
                seed,
                order(),
                environment,
                rig.baseline(),
                caveats(enforced, runs),
                subjects,
                List.copyOf(runs),
                Comparisons.of(
                        runs,
                        subjects,
                        scenario.decides(),
                        withheld(enforced, isMatched(runs), ground.withheld()),
                        seed));
    }

    /** Every cause there is for giving no verdict, as {@link Comparisons#of} takes it; empty when one may be given. */
    static String withheld(boolean enforced, boolean matched, String ofGround) {
        List<String> causes = new ArrayList<>();
        if (!enforced) {
            causes.add("the memory budget was not enforced");
        }
        if (!matched) {
            causes.add("the brokers have different numbers of replicas");
        }
        if (!ofGround.isEmpty()) {
            causes.add(ofGround);
        }
        return String.join(" and ", causes);
    }

    /** Whether all have the same number of replicas, where that was asked for; each run says for itself whether it waits for a disk. */
    private boolean isMatched(List<Run> runs) {
        return scenario.durability() != Scenario.Durability.MATCHED
                || runs.stream()
                                .filter(run -> run.isValid() && !run.subject().equals(floor))
                                .map(run -> run.effective().getOrDefault(StackMeasurement.REPLICAS, ""))
                                .distinct()
                                .count()
                        <= 1;
    }

    private List<String> caveats(boolean enforced, List<Run> runs) {
        List<String> caveats = new ArrayList<>(ground.caveats());
        if (!isMatched(runs)) {
            caveats.add(UNMATCHED);
        }
        if (!enforced) {
            caveats.add(NO_BUDGET);
        }
        if (runs.stream().noneMatch(run -> run.isValid() && run.subject().equals(floor))) {
            caveats.add(NO_FLOOR);
        }
        caveats.addAll(rig.caveats());
        return List.copyOf(caveats);
    }

    private static String version(String broker, List<Run> runs) {
        return runs.stream()
                .filter(run -> run.subject().equals(broker))
                .map(run -> run.effective().getOrDefault(StackMeasurement.VERSION, ""))
                .filter(version -> !version.isEmpty())
                .findFirst()
                .orElse("");
    }
}
