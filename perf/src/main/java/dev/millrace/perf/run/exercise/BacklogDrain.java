package dev.millrace.perf.run.exercise;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.GeneratorClient;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.perf.backlog.Samples;
import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.probe.ProcessorSet;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.Processes;
import dev.millrace.perf.run.stage.Stage;
import dev.millrace.perf.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * After the measured phase: stops the job when it has read everything, has the generator store a backlog, stops the generator,
 * and starts the job again, which drains it. What is measured begins with the first reading that the new job counts, so neither
 * the start of its processes nor the way of its checkpoint is in it. At the end the stack is as it was, and gets its load.
 */
final class BacklogDrain implements Exercise {
    /** Names of phases. */
    static final String BUILD = "build";

    static final String DRAIN = "drain";

    private static final String DECODED = "_readingsDecoded";
    private static final Duration ROWS_BOUND = Duration.ofSeconds(60);
    private static final Duration QUIET_BOUND = Duration.ofSeconds(60);
    private static final long QUIET_NANOS = 500_000_000L;
    private static final long LOOK_NANOS = 100_000_000L;
    private static final long PROGRESS_NANOS = 5_000_000_000L;

    private final Stage stage;
    private final Scenario.Backlog backlog;
    private final MetricsPage metrics;
    private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    private final Map<String, Double> evidence = new LinkedHashMap<>();
    private final List<String> reasons = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    BacklogDrain(Stage stage, Scenario.Backlog backlog) {
        this.stage = stage;
        this.metrics = new MetricsPage(stage.directory());
        this.backlog = backlog;
    }

    @Override
    public void measureEnded(Mark to) {
        try (StoreClient store = StackStore.connect(stage.directory())) {
            // They close only by readings that come later, and then soon none does.
            awaitRows(store, to.millis(), "windows that were due in the measured phase were not in the store");
            StoppedJob job = new StoppedJob(stage);
            generator().pause();
            awaitQuiet();
            awaitAllRead();
            job.stop();
            double before = accepted();
            stage.sampler().jobCountsAfter(before);
            stage.phases().begin(BUILD);
            long lastMillis = build(before);
            double stored = accepted() - before;
            stage.phases().begin(DRAIN);
            job.start();
            drain(store, stored, lastMillis);
            generator().rate(Math.max(1, Math.round(stage.settings().rateReadingsPerSecond())));
            generator().resume();
            stage.phases().begin(Phases.SETTLE);
        }
    }

    /** Stores the backlog; returns when its last reading was due, epoch milliseconds. */
    private long build(double before) {
        long begun = System.nanoTime();
        generator().rate(backlog.rate());
        generator().resume();
        await(
                "the broker did not take the " + backlog.readings() + " readings of the backlog",
                backlog.bound(),
                () -> accepted() - before >= backlog.readings(),
                () -> String.format(Locale.ROOT, "%s, %,.0f readings are stored", BUILD, accepted() - before));
        generator().pause();
        double seconds = (System.nanoTime() - begun) / 1e9;
        // What it was behind by is not sent now, so windows do not close by it.
        long behind = Mark.generator(state())
                .map(GeneratorClient.State::latenessMillis)
                .orElse(0L);
        long lastMillis = System.currentTimeMillis() - behind;
        awaitQuiet();
        double stored = accepted() - before;
        evidence.put("backlogReadings", stored);
        evidence.put("backlogBuiltPerSecond", stored / seconds);
        return lastMillis;
    }

    private void drain(StoreClient store, double stored, long lastMillis) {
        Samples samples = new Samples();
        Look[] ends = new Look[2];
        await(
                String.format(Locale.ROOT, "the job did not drain the %,.0f readings of the backlog", stored),
                backlog.bound(),
                () -> {
                    Look look = look();
                    samples.add(look.nanos(), look.decoded());
                    if (look.decoded() > 0) {
                        ends[0] = ends[0] == null ? look : ends[0];
                        ends[1] = look;
                    }
                    return look.decoded() >= stored;
                },
                () -> String.format(
                        Locale.ROOT, "%s, %,.0f are left", DRAIN, stored - (ends[1] == null ? 0 : ends[1].decoded())));
        double decoded = ends[1].decoded();
        awaitRows(store, lastMillis - slideMillis(), "the last rows of the backlog were not in the store");
        double seconds = (System.nanoTime() - samples.firstNanos()) / 1e9;
        double rate = samples.rateBetween(stored * 0.1, stored * 0.9);
        figures.put(Figure.DRAIN_SECONDS, seconds);
        if (Double.isNaN(rate)) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the %,.0f readings of the backlog were drained too fast to say at which rate; backlog.readings must"
                            + " be more",
                    stored));
        } else {
            figures.put(Figure.DRAIN_RATE, rate);
        }
        // The job was stopped without arrears, so a reading more than the backlog was read twice; the audit sees only
        // rows.
        evidence.put("backlogReadTwice", Math.max(0, decoded - stored));
        remarks.add(String.format(
                Locale.ROOT,
                "%,.0f readings, stored while the job was away, were drained %s; the last row was there %.1f s after the"
                        + " first reading was processed",
                stored,
                Double.isNaN(rate) ? "" : String.format(Locale.ROOT, "at %,.0f readings/s", rate),
                seconds));
        bottleneck(ends[0], ends[1]);
    }

    private void bottleneck(Look first, Look last) {
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        if (seconds <= 0) {
            return;
        }
        List<VertexTimes.Share> vertices = last.times().since(first.times());
        MachineUse machine = last.machine().since(first.machine());
        List<Bottleneck.Part> parts = new ArrayList<>();
        Map<String, Long> pids = Mark.pids(state());
        last.processes().forEach((name, use) -> {
            ProcessUse before = first.processes().get(name);
            if (before != null && !name.equals(Processes.RIG)) {
                double cores = use.cpu().minus(before.cpu()).toNanos() / 1e9 / seconds;
                parts.add(new Bottleneck.Part(name, cores, ProcessorSet.of(pids.getOrDefault(name, 0L))));
                evidence.put("drainCores." + name, cores);
            }
        });
        evidence.put("drainMachineBusyShare", machine.busyShare());
        evidence.put("drainStolenShare", machine.stolenShare());
        evidence.put("drainNeighbourShare", machine.neighbourShare());
        // The measured phase is over by now, and its gates with it.
        reasons.addAll(MachineGate.reasons(
                "in the drain ", Disturbance.of(machine), stage.scenario().checks()));
        reasons.addAll(RestartWatch.reasons("in the drain ", last.restarts() - first.restarts()));
        remarks.add(new Bottleneck(
                        vertices,
                        parts,
                        // What a neighbour took was not there for the taking.
                        machine.busyShare() + machine.stolenShare(),
                        Runtime.getRuntime().availableProcessors())
                .sentence());
    }

    /** All that is looked at in a drain, at one moment. */
    private record Look(
            long nanos,
            double decoded,
            VertexTimes times,
            Map<String, ProcessUse> processes,
            MachineUse machine,
            long restarts) {}

    private Look look() {
        StackState state = state();
        List<String> wanted = new ArrayList<>(VertexTimes.counters());
        wanted.add(DECODED);
        List<MetricsPage.Value> values =
                metrics.values(state.part(StackState.TASK_MANAGER).metricsUrl(), wanted);
        double decoded = values.stream()
                .filter(value -> value.name().endsWith(DECODED))
                .mapToDouble(MetricsPage.Value::value)
                .sum();
        return new Look(
                System.nanoTime(),
                decoded,
                VertexTimes.of(values),
                stage.processes().uses(state),
                Mark.machine(state, stage.processes()),
                stage.processes().restarts(state));
    }

    /** Until the rows of all windows are there that close by readings of before {@code millis}. */
    private void awaitRows(StoreClient store, long millis, String otherwise) {
        long wanted = millis - stage.settings().outOfOrderness().toMillis();
        await(otherwise, ROWS_BOUND, () -> store.completeTo() >= wanted, () -> "waiting for rows");
    }

    /** Until nothing is acknowledged any more: what was on its way when the generator was paused is there. */
    private void awaitQuiet() {
        double[] seen = {accepted()};
        long[] since = {System.nanoTime()};
        await(
                "the generator did not come to rest",
                QUIET_BOUND,
                () -> {
                    double now = accepted();
                    if (now != seen[0]) {
                        seen[0] = now;
                        since[0] = System.nanoTime();
                    }
                    return System.nanoTime() - since[0] > QUIET_NANOS;
                },
                () -> "the generator comes to rest");
    }

    private void awaitAllRead() {
        await(
                "the job did not read all that was sent before the backlog",
                QUIET_BOUND,
                () -> Mark.of(state(), metrics, stage.processes()).lag().orElse(1) == 0,
                () -> "the job reads what is left");
    }

    private interface Progress {
        String line();
    }

    private void await(String otherwise, Duration bound, BooleanSupplier condition, Progress progress) {
        long begun = System.nanoTime();
        long said = begun;
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            if (now - begun > bound.toNanos()) {
                throw new EnvironmentException(otherwise + " within " + Values.text(bound));
            }
            if (now - said > PROGRESS_NANOS) {
                said = now;
                stage.progress().accept(progress.line());
            }
            stage.interruption().pause(LOOK_NANOS);
        }
    }

    /** Readings since the stack is up. */
    private double accepted() {
        return Mark.generator(state())
                .map(said -> (double) said.readingsSent())
                .orElseThrow(() -> new EnvironmentException("the generator does not answer"));
    }

    private long slideMillis() {
        return Values.duration(stage.settings().text("slide")).toMillis();
    }

    private StackState state() {
        RunDirectory directory = stage.directory();
        return directory.state().orElseThrow(() -> new EnvironmentException("the stack is gone: " + directory.path()));
    }

    private GeneratorClient generator() {
        return new GeneratorClient(state().part(StackState.GENERATOR).url());
    }

    @Override
    public Found found() {
        return new Found(figures, evidence, reasons, remarks);
    }
}
