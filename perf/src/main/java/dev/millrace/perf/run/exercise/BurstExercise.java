package dev.millrace.perf.run.exercise;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.GeneratorClient;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.perf.burst.Arrangement;
import dev.millrace.perf.burst.ResultRows;
import dev.millrace.perf.burst.SendComparison;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.run.stage.EventTime;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.Stage;
import dev.millrace.perf.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The rows of each window end on their way into the result topic, read there as its users would; then, with the load paused, as many
 * rows sent in other ways.
 */
final class BurstExercise implements Exercise {
    /** The store has the rows by then, so the topic has them too; what is left is this process's reading. */
    private static final Duration ROWS_BOUND = Duration.ofSeconds(30);

    private static final Duration QUIET_BOUND = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = 500_000_000L;

    private final Stage stage;
    private final Scenario.Burst burst;
    private final Duration sendLimit;
    private final EventTime time;
    private final JobFailures failures;
    private final List<BurstFound.Timed> bursts = new ArrayList<>();
    private final Map<Arrangement, SendComparison.Found> sends = new EnumMap<>(Arrangement.class);
    private Optional<ResultRows> rows = Optional.empty();
    private OptionalDouble failuresBefore = OptionalDouble.empty();
    private OptionalDouble behindBefore = OptionalDouble.empty();
    private long fromMillis;
    private long toMillis;

    BurstExercise(Stage stage, Scenario.Burst burst) {
        this.stage = stage;
        this.burst = burst;
        this.sendLimit = Values.duration(stage.settings().text("results-send-limit"));
        this.time = EventTime.of(stage.directory(), stage.settings());
        this.failures = new JobFailures(stage.directory());
    }

    @Override
    public void warmUpBegins() {
        StackState state = stage.directory().presentState();
        rows = Optional.of(new ResultRows(
                () -> stage.installation().load(stage.settings().broker()).connect(state.brokerOptions()),
                stage.settings().resultsTopic()));
    }

    @Override
    public void measureBegins(Mark from) {
        fromMillis = from.millis();
        behindBefore = from.lag();
        failuresBefore = failures.count();
        rows.orElseThrow().from(firstDue());
    }

    @Override
    public void measureEnded(Mark to) {
        toMillis = to.millis();
    }

    @Override
    public Found found() {
        stage.progress().accept("the rows of the result topic against the store's");
        try (StoreClient store = StackStore.connect(stage.directory())) {
            for (long end = firstDue(); due(end) < toMillis; end += slideMillis()) {
                long due = due(end);
                rows.orElseThrow()
                        .burst(end, store, ROWS_BOUND, stage.interruption()::pause)
                        .ifPresent(one -> bursts.add(new BurstFound.Timed(one, due)));
            }
        }
        OptionalDouble failuresAfter = failures.count();
        boolean known = failuresBefore.isPresent() && failuresAfter.isPresent();
        double restarts = known ? failuresAfter.getAsDouble() - failuresBefore.getAsDouble() : Double.NaN;
        String why = restarts > 0 ? failures.newest() : "";
        if (!bursts.isEmpty()) {
            compareSends();
        }
        List<Sample> measured = stage.sampler().samples().stream()
                .filter(sample -> sample.phase().equals(Phases.MEASURE))
                .toList();
        double readingsOfSlide = stage.settings().rateReadingsPerSecond() * slideMillis() / 1000;
        return new BurstFound(
                        bursts,
                        new BurstFound.Backlog(behindBefore.orElse(0), readingsOfSlide),
                        restarts,
                        why,
                        sendLimit,
                        measured,
                        sends)
                .found();
    }

    private void compareSends() {
        quiet();
        SendComparison comparison = new SendComparison(
                stage.installation(), stage.directory(), stage.settings(), stage.interruption()::pause);
        SendComparison.Task task =
                new SendComparison.Task(burst.sends(), rows.orElseThrow().rowBytes(), burst.poolThreads(), sendLimit);
        for (Arrangement arrangement : Arrangement.values()) {
            stage.progress().accept("rows sent " + arrangement.meaning());
            sends.put(arrangement, comparison.of(arrangement, task));
        }
    }

    /** So that sends are alone with the broker: nothing is sent or waits to be read any more. */
    private void quiet() {
        StackState state = stage.directory().presentState();
        new GeneratorClient(state.part(StackState.GENERATOR).url()).pause();
        long deadline = System.nanoTime() + QUIET_BOUND.toNanos();
        long before = -1;
        for (long now = rows.orElseThrow().count();
                now != before && System.nanoTime() < deadline;
                now = rows.orElseThrow().count()) {
            before = now;
            stage.interruption().pause(LOOK_NANOS);
        }
        rows.orElseThrow().close();
    }

    private long slideMillis() {
        return Values.duration(stage.settings().text("slide")).toMillis();
    }

    /** By the clock, epoch milliseconds. */
    private long due(long windowEnd) {
        return time.clockMillis(windowEnd + stage.settings().outOfOrderness().toMillis());
    }

    /** The end of the first windows that are due in the measured phase. */
    private long firstDue() {
        long slide = slideMillis();
        long event =
                time.eventMillis(fromMillis) - stage.settings().outOfOrderness().toMillis();
        long end = Math.floorDiv(event, slide) * slide;
        while (due(end) < fromMillis) {
            end += slide;
        }
        return end;
    }

    @Override
    public void close() {
        rows.ifPresent(ResultRows::close);
    }
}
