package dev.millrace.perf.run;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.audit.AuditResult;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackLauncher;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.StackStopper;
import dev.millrace.deploy.look.AuditNote;
import dev.millrace.deploy.look.StackAudit;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.perf.probe.MemoryBudget;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.scenario.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Makes the runs of one scenario, each on a new stack with new data, one after the other. Used by one thread. */
public final class StackRun {
    /** Names of phases, in samples and on the screen. */
    public static final String WARM_UP = "warm-up";

    public static final String SEARCH = "search";
    public static final String MEASURE = "measure";
    public static final String SETTLE = "settle";
    /** The key of {@link Run#effective} that every broker has. */
    public static final String VERSION = "server version";

    private static final String INTERRUPTED = "interrupted";
    private static final Duration AUDIT_BOUND = Duration.ofSeconds(60);
    /** Beyond the checkpoint interval: a window that takes longer to become visible is a finding, not a wait. */
    private static final Duration ROWS_BOUND = Duration.ofSeconds(30);

    private static final long PROGRESS_NANOS = 5_000_000_000L;

    private final Installation installation;
    private final Path base;
    private final Scenario scenario;
    private final Map<String, String> options;
    private final Path results;
    private final Interruption interruption;
    private final Consumer<String> progress;
    private Optional<MemoryBudget> budget = Optional.empty();
    private volatile boolean starting;

    /**
     * @param base where stacks have their run directories while they are measured
     * @param options of {@code millrace up} beyond the scenario's, by name
     * @param results where each run's own files go
     */
    public StackRun(
            Installation installation,
            Path base,
            Scenario scenario,
            Map<String, String> options,
            Path results,
            Interruption interruption,
            Consumer<String> progress) {
        this.installation = installation;
        this.base = base;
        this.scenario = scenario;
        this.options = options;
        this.results = results;
        this.interruption = interruption;
        this.progress = progress;
    }

    /** What {@code up} is given for {@code broker}; throws UserException when something in it is wrong. */
    public StackSettings settings(String broker) {
        Map<String, String> up = new TreeMap<>(scenario.up());
        if (options.containsKey("address")) {
            // The scenario bounds a server that is started; a person's own is not.
            up.remove("broker-memory");
        }
        up.putAll(options);
        up.put("broker", broker);
        up.put("latency-log", "true");
        return StackSettings.bind("scenario " + scenario.name(), Options.of(up));
    }

    /**
     * One run. What goes wrong on the way makes it INVALID, with the sentence as its reason; the stack is down when this returns.
     *
     * @param id begins the names of its files
     */
    public Run run(String id, String broker, int block, Turn turn) {
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        RunDirectory directory = RunDirectory.of(base, broker);
        Run failed = unmeasured(id, broker, block, started);
        Run run = failed;
        try {
            remove(directory);
            budget = scenario.memoryBytes() == 0 ? Optional.empty() : MemoryBudget.enter(scenario.memoryBytes());
            run = measured(id, broker, block, started, directory, turn);
        } catch (Interruption.Asked e) {
            run = invalid(failed, INTERRUPTED);
        } catch (EnvironmentException | UserException e) {
            run = invalid(failed, interruption.isAsked() ? INTERRUPTED : e.getMessage());
        } finally {
            remove(directory);
            budget.ifPresent(MemoryBudget::close);
            budget = Optional.empty();
        }
        return run;
    }

    /**
     * Whether a stack is being brought up: then a person's wish to end the process is the launcher's to follow, which takes the
     * stack down and never returns. Thread-safe.
     */
    public boolean isStarting() {
        return starting;
    }

    /** A run that a person ended before anything was measured. */
    public static Run interrupted(String id, String broker, int block) {
        String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        return invalid(unmeasured(id, broker, block, started), INTERRUPTED);
    }

    private static Run unmeasured(String id, String broker, int block, String started) {
        return new Run(
                id, broker, block, started, List.of(), Map.of(), List.of(), "", false, Map.of(), Map.of(), List.of(),
                "", List.of());
    }

    /** Whether every stack's memory was bounded as the scenario has it, in all of these runs that are VALID. */
    public static boolean budgetWasEnforced(List<Run> runs) {
        return runs.stream()
                .filter(Run::isValid)
                .noneMatch(run -> Double.isNaN(run.evidence().getOrDefault(Evidence.MEMORY_PEAK, Double.NaN)));
    }

    private static Run invalid(Run run, String reason) {
        return new Run(
                run.id(),
                run.subject(),
                run.block(),
                run.started(),
                List.of(reason),
                run.figures(),
                run.send(),
                run.audit(),
                run.auditEqual(),
                run.effective(),
                run.evidence(),
                run.samples(),
                run.log(),
                run.remarks());
    }

    private static void remove(RunDirectory directory) {
        if (directory.settings().isPresent()) {
            new StackStopper(directory).down(false);
        }
    }

    private Run measured(String id, String broker, int block, String started, RunDirectory directory, Turn turn) {
        StackSettings settings = settings(broker);
        bringUp(id, directory, settings);
        StackState state = directory.state().orElseThrow();
        EffectiveSettings effective = effective(broker, state, settings);
        Sampler sampler = new Sampler(directory, WARM_UP);
        Phases phases = new Phases(directory, turn, sampler);
        Stage stage = new Stage(
                id, installation, directory, settings, scenario, results, sampler, phases, interruption, progress);
        try (sampler;
                StoreClient store = StackStore.connect(directory);
                WindowWatch windows =
                        new WindowWatch(store, directory.settings().orElseThrow(), EventTime.of(directory, settings));
                Exercises exercises = Exercises.of(stage)) {
            exercises.warmUpBegins();
            phase(WARM_UP, scenario.warmUp(), stage);
            double rate = settings.rateReadingsPerSecond();
            if (scenario.search().isPresent()) {
                phases.begin(SEARCH);
                rate = new CapacitySearch(stage, (long) rate).find();
                phase(WARM_UP, scenario.warmUp(), stage);
            }
            phases.begin(MEASURE);
            Mark from = Mark.of(state, new MetricsPage());
            exercises.measureBegins(from);
            phase(MEASURE, scenario.measure(), stage);
            Mark to = Mark.of(directory.state().orElseThrow(), new MetricsPage());
            Map<String, Double> residentMiB = sampler.residentMiB();
            phases.begin(SETTLE);
            exercises.measureEnded(to);
            boolean rowsCame = windows.await(to.millis(), ROWS_BOUND.toMillis());
            StackAudit.Finding finding = new StackAudit(directory, settings, store, null, line -> {}).run(AUDIT_BOUND);
            AuditNote.of(Instant.now(), finding).leaveIn(directory);
            AuditResult audit = finding.store();
            sampler.stop();
            Path log = keepLog(id, directory);
            SendLatency send = SendLatency.read(log, from.millis(), to.millis());
            List<Sample> samples = send.into(sampler.samples(), sampler.startMillis());
            List<WindowWatch.Visible> visible = windows.dueBetween(from.millis(), to.millis());
            Measured measured = new Measured(
                    from, to, settings, rate * EventTime.acceleration(settings), samples, residentMiB, send, visible);
            Evidence evidence = measured.evidence(
                    rowsCame, budget.map(MemoryBudget::peakBytes).orElse(OptionalLong.empty()));
            return exercises.addTo(new Run(
                    id,
                    broker,
                    block,
                    started,
                    new Gates(scenario).reasons(evidence, audit),
                    measured.figures(),
                    send.quantiles(),
                    audit.sentence(),
                    audit.ok(),
                    asMap(effective),
                    evidence.asMap(),
                    samples,
                    log.getFileName().toString(),
                    List.of()));
        }
    }

    private void bringUp(String id, RunDirectory directory, StackSettings settings) {
        progress.accept("starting");
        Path log = results.resolve(id + ".up.log");
        starting = true;
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(log), true)) {
            new StackLauncher(installation, directory, out).up(settings, new StackLauncher.Manner(false, false));
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + log + ": " + e.getMessage(), e);
        } finally {
            starting = false;
        }
        interruption.pause(0);
    }

    private EffectiveSettings effective(String broker, StackState state, StackSettings settings) {
        try (BrokerClient client = installation.load(broker).connect(state.brokerOptions())) {
            return client.effectiveSettings(settings.topic());
        }
    }

    private static Map<String, String> asMap(EffectiveSettings effective) {
        Map<String, String> map = new TreeMap<>(effective.others());
        map.put(VERSION, effective.serverVersion());
        map.put("replicas", Integer.toString(effective.replicas()));
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

    private Path keepLog(String id, RunDirectory directory) {
        Path log = results.resolve(id + ".hlog");
        try {
            return Files.copy(directory.latencyLog(), log);
        } catch (IOException e) {
            throw new EnvironmentException("cannot keep the latency log as " + log + ": " + e.getMessage(), e);
        }
    }
}
