package dev.millrace.perf.run;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.audit.AuditResult;
import dev.millrace.core.audit.Ledger;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.AuditNote;
import dev.millrace.deploy.look.StackAudit;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.run.exercise.Exercises;
import dev.millrace.perf.run.exercise.MachineGate;
import dev.millrace.perf.run.stage.EventTime;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.Processes;
import dev.millrace.perf.run.stage.Sampler;
import dev.millrace.perf.run.stage.SendLatency;
import dev.millrace.perf.run.stage.Stage;
import dev.millrace.perf.run.stage.Turn;
import dev.millrace.perf.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Measures one stack that is up and has rows: its phases, and what is found at their end. Used by one thread, once. */
public final class StackMeasurement {
    /** Keys of {@link Run#effective} that every broker has. */
    public static final String VERSION = "server version";

    public static final String REPLICAS = "replicas";

    private static final Duration AUDIT_BOUND = Duration.ofSeconds(60);
    /** Beyond the checkpoint interval. */
    private static final Duration ROWS_BOUND = Duration.ofSeconds(30);

    private static final long PROGRESS_NANOS = 5_000_000_000L;
    /** Measured phases that missed the objective while the machine had neighbours, and are made again. */
    private static final int DISTURBED_MEASURES_MAX = 2;

    private final Installation installation;
    private final RunDirectory directory;
    private final StackSettings settings;
    private final Scenario scenario;
    private final Path results;
    private final Processes processes;
    private final Interruption interruption;
    private final Consumer<String> progress;

    /**
     * @param directory of the stack; what it was started with has names that nobody chose, on a broker that others use too
     * @param results where the run's own files go
     */
    public StackMeasurement(
            Installation installation,
            RunDirectory directory,
            Scenario scenario,
            Path results,
            Processes processes,
            Interruption interruption,
            Consumer<String> progress) {
        this.installation = installation;
        this.directory = directory;
        this.settings = directory.presentSettings();
        this.scenario = scenario;
        this.results = results;
        this.processes = processes;
        this.interruption = interruption;
        this.progress = progress;
    }

    /** A window that takes longer to become visible is a finding, not a wait: its rows are seen with the checkpoint after it closed. */
    static Duration rowsBound(StackSettings settings) {
        return ROWS_BOUND.plus(Values.duration(settings.text("checkpoint-interval")));
    }

    /** Whether every stack's memory was bounded in all of these runs that are VALID. */
    public static boolean budgetWasEnforced(List<Run> runs) {
        return runs.stream()
                .filter(Run::isValid)
                .noneMatch(run -> Double.isNaN(run.evidence().getOrDefault(Evidence.MEMORY_PEAK, Double.NaN)));
    }

    /**
     * The run. What goes wrong is thrown.
     *
     * @param started when its stack was begun, ISO 8601
     */
    public Run run(Turn turn, String started) {
        StackState state = directory.presentState();
        EffectiveSettings effective = effective(turn.broker(), state);
        Sampler sampler = new Sampler(directory, processes, Phases.WARM_UP);
        Phases phases = new Phases(directory, turn, sampler);
        Stage stage = new Stage(
                turn.id(),
                installation,
                directory,
                settings,
                scenario,
                results,
                processes,
                sampler,
                phases,
                interruption,
                progress);
        try (sampler;
                StoreClient store = StackStore.connect(directory);
                WindowWatch windows = new WindowWatch(store, settings, EventTime.of(directory, settings));
                Exercises exercises = Exercises.of(stage)) {
            exercises.warmUpBegins();
            phase(Phases.WARM_UP, scenario.warmUp(), stage);
            List<String> remarks = new ArrayList<>();
            Span span = scenario.search().isPresent()
                    ? searched(scenario.search().get(), turn, stage, exercises, remarks)
                    : measure(settings.rateReadingsPerSecond(), stage, exercises);
            Mark from = span.from();
            Mark to = span.to();
            boolean rowsCame = windows.await(to.millis(), rowsBound(settings).toMillis());
            StackAudit.Finding finding = new StackAudit(directory, settings, store, null, line -> {}).run(AUDIT_BOUND);
            AuditNote.of(Instant.now(), finding).leaveIn(directory);
            AuditResult audit = finding.store();
            sampler.stop();
            Path log = keepLog(turn.id());
            SendLatency send = send(span, log);
            List<Sample> samples = send.into(sampler.samples(), sampler.startMillis());
            List<WindowWatch.Visible> visible = windows.dueBetween(from.millis(), to.millis());
            Measured measured = measured(span, samples, send, visible);
            Evidence evidence = measured.evidence(rowsCame, processes.memoryPeakBytes(state));
            Gates gates = new Gates(scenario);
            List<String> reasons = gates.reasons(evidence, audit);
            reasons.addAll(gates.durability(effective));
            return exercises.addTo(new Run(
                    turn.id(),
                    turn.broker(),
                    turn.block(),
                    started,
                    reasons,
                    measured.figures(),
                    send.quantiles(),
                    audit.sentence(),
                    audit.ok(),
                    asMap(effective),
                    evidence.asMap(),
                    samples,
                    log.getFileName().toString(),
                    remarks));
        }
    }

    /** Measured at the rate that the search finds, and again below it while that is too much for the stack. */
    private Span searched(
            Scenario.Search objective, Turn turn, Stage stage, Exercises exercises, List<String> remarks) {
        stage.phases().begin(Phases.SEARCH);
        CapacitySearch search =
                new CapacitySearch(stage, objective, (long) settings.rateReadingsPerSecond(), turn.most());
        long rate = search.find();
        int disturbed = 0;
        while (true) {
            phase(Phases.WARM_UP, scenario.warmUp(), stage);
            Span span = measure(rate, stage, exercises);
            List<String> missed = overload(span, stage);
            if (missed.isEmpty()) {
                if (search.isMost(rate)) {
                    remarks.add(Ceiling.remark(rate));
                }
                return span;
            }
            List<String> disturbances = MachineGate.reasons(span.from(), span.to(), scenario.checks());
            if (!disturbances.isEmpty() && ++disturbed > DISTURBED_MEASURES_MAX) {
                // Its gates say that it does not count.
                return span;
            }
            stage.phases().begin(Phases.SEARCH);
            long measured = rate;
            if (disturbances.isEmpty()) {
                OptionalLong lower = search.below(rate);
                if (lower.isEmpty()) {
                    stage.phases().begin(Phases.SETTLE);
                    return span;
                }
                rate = lower.getAsLong();
            } else {
                search.again(rate);
            }
            String remark = String.format(
                    Locale.ROOT,
                    "measured at %,d readings/s, and then %s: %s",
                    measured,
                    disturbances.isEmpty() ? "lower" : "again",
                    String.join("; ", disturbances.isEmpty() ? missed : disturbances));
            progress.accept(remark);
            remarks.add(remark);
            stage.sampler().rename(Phases.MEASURE, Phases.SEARCH);
        }
    }

    private List<String> overload(Span span, Stage stage) {
        interruption.pause(SendLatency.LOG_NANOS);
        SendLatency send = send(span, directory.latencyLog());
        // Neither rows nor memory are overload: what came of them is asked when the rate is settled.
        Evidence evidence =
                measured(span, stage.sampler().samples(), send, List.of()).evidence(true, OptionalLong.empty());
        return new Gates(scenario).overload(evidence);
    }

    private SendLatency send(Span span, Path log) {
        return SendLatency.read(log, span.from().millis(), span.to().millis(), perSecond(span));
    }

    /** Readings that are due in a second of the clock, in the mean. */
    private double perSecond(Span span) {
        if (settings.isSteady()) {
            return span.rate() * settings.acceleration();
        }
        Schedule schedule = Ledger.read(directory.generatorFolder()).schedule();
        long due = schedule.dueBy(span.to().millis() * 1000)
                - schedule.dueBy(span.from().millis() * 1000);
        return due / span.seconds();
    }

    private Span measure(double rate, Stage stage, Exercises exercises) {
        stage.phases().begin(Phases.MEASURE);
        MetricsPage metrics = new MetricsPage(directory);
        Mark from = Mark.of(directory.presentState(), metrics, processes);
        exercises.measureBegins(from);
        phase(Phases.MEASURE, scenario.measure(), stage);
        Mark to = Mark.of(directory.presentState(), metrics, processes);
        Map<String, Double> residentMiB = stage.sampler().residentMiB();
        stage.phases().begin(Phases.SETTLE);
        exercises.measureEnded(to);
        return new Span(rate, from, to, residentMiB);
    }

    private Measured measured(Span span, List<Sample> samples, SendLatency send, List<WindowWatch.Visible> visible) {
        return new Measured(
                span.from(), span.to(), settings, perSecond(span), samples, span.residentMiB(), send, visible);
    }

    /**
     * One measured phase.
     *
     * @param rate readings per second that the generator was to send
     * @param residentMiB the greatest of each process in the phase
     */
    private record Span(double rate, Mark from, Mark to, Map<String, Double> residentMiB) {
        double seconds() {
            return (to.nanos() - from.nanos()) / 1e9;
        }
    }

    private EffectiveSettings effective(String broker, StackState state) {
        try (BrokerClient client = installation.load(broker).connect(state.brokerOptions())) {
            return client.effectiveSettings(settings.topic());
        }
    }

    private static Map<String, String> asMap(EffectiveSettings effective) {
        Map<String, String> map = new TreeMap<>(effective.others());
        map.put(VERSION, effective.serverVersion());
        map.put(REPLICAS, Integer.toString(effective.replicas()));
        map.put("acks", effective.acks());
        map.put("fsync", effective.fsync());
        return map;
    }

    /** Waits, and says now and then how it goes. */
    private void phase(String name, Duration length, Stage stage) {
        stage.phases().lasts(name, length);
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            List<Sample> samples = stage.sampler().samples();
            progress.accept(name + ", " + left / 1_000_000_000L + " s left"
                    + (samples.isEmpty() ? "" : figures(samples.get(samples.size() - 1))));
            interruption.pause(Math.min(PROGRESS_NANOS, left));
        }
    }

    private static String figures(Sample sample) {
        List<String> figures = new ArrayList<>();
        if (sample.acceptedPerSecond() != null) {
            figures.add(String.format(Locale.ROOT, "%,.0f readings/s", sample.acceptedPerSecond()));
        }
        if (sample.lag() != null) {
            figures.add(String.format(Locale.ROOT, "lag %,d", sample.lag()));
        }
        return figures.isEmpty() ? "" : ", " + String.join(", ", figures);
    }

    private Path keepLog(String id) {
        Path log = results.resolve(id + ".hlog");
        try {
            return Files.copy(directory.latencyLog(), log);
        } catch (IOException e) {
            throw new EnvironmentException("cannot keep the latency log as " + log + ": " + e.getMessage(), e);
        }
    }
}
