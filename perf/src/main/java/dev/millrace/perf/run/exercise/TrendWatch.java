package dev.millrace.perf.run.exercise;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.result.Sample;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Phases;
import dev.millrace.perf.run.stage.SendLatency;
import dev.millrace.perf.run.stage.Stage;
import dev.millrace.perf.scenario.Scenario;
import dev.millrace.perf.trend.BlockMedians;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Looks in the measured phase for what grows or falls. */
final class TrendWatch implements Exercise {
    private static final double UNBOUNDED = Double.POSITIVE_INFINITY;
    /** So often in a block; not more than once a second. */
    private static final int LOOKS_OF_A_BLOCK = 12;

    private static final long LEAST_MILLIS = 1000;

    private static final Map<String, String> PROCESSES = Map.of(
            StackState.BROKER, "broker",
            StackState.STORE, "store",
            StackState.JOB_MANAGER, "JobManager",
            StackState.TASK_MANAGER, "TaskManager",
            StackState.GENERATOR, "generator");

    private final Stage stage;
    private final Scenario.Trend trend;
    private @Nullable StateWatch watch;
    private @Nullable Mark begun;
    private @Nullable Mark ended;

    TrendWatch(Stage stage, Scenario.Trend trend) {
        this.stage = stage;
        this.trend = trend;
    }

    @Override
    public void measureBegins(Mark from) {
        begun = from;
        watch = new StateWatch(
                stage.directory(), Math.max(LEAST_MILLIS, trend.block().toMillis() / LOOKS_OF_A_BLOCK));
    }

    @Override
    public void measureEnded(Mark to) {
        ended = to;
        close();
    }

    @Override
    public Found found() {
        if (watch == null || begun == null || ended == null) {
            throw new IllegalStateException("the measured phase was not made");
        }
        double seconds = (ended.nanos() - begun.nanos()) / 1e9;
        // The run's own copy: the sampler does not know latencies.
        Path log = stage.results().resolve(stage.id() + ".hlog");
        List<Sample> samples = SendLatency.read(log, begun.millis(), ended.millis())
                .into(stage.sampler().samples(), stage.sampler().startMillis())
                .stream()
                .filter(sample -> sample.phase().equals(Phases.MEASURE))
                .toList();
        List<TrendFindings.Series> series = new ArrayList<>();
        for (String name : StackState.NAMES) {
            if (PROCESSES.containsKey(name)) {
                series.add(new TrendFindings.Series(
                        "resident memory of the " + PROCESSES.get(name),
                        "MiB",
                        "trend." + name + "MiBPerHour",
                        trend.memoryMiBPerHour(),
                        blocks(
                                samples,
                                seconds,
                                sample -> number(sample.residentMiB().get(name)))));
            }
        }
        series.add(new TrendFindings.Series(
                "lag",
                "readings",
                "trend.lagReadingsPerHour",
                trend.lagPerHour(),
                blocks(samples, seconds, sample -> number(sample.lag()))));
        series.add(new TrendFindings.Series(
                "p99 of sends",
                "ms",
                "trend.sendP99MillisPerHour",
                trend.sendP99MillisPerHour(),
                blocks(samples, seconds, sample -> number(sample.sendP99Millis()))));
        series.add(ofState(
                "duration of checkpoints",
                "ms",
                "trend.checkpointMillisPerHour",
                watch,
                seconds,
                StateWatch.Look::checkpointMillis));
        series.add(ofState(
                "size of checkpoints",
                "MiB",
                "trend.checkpointMiBPerHour",
                watch,
                seconds,
                StateWatch.Look::checkpointMiB));
        series.add(ofState(
                "disk of the broker",
                "MiB",
                "trend.brokerDiskMiBPerHour",
                watch,
                seconds,
                StateWatch.Look::brokerDiskMiB));
        return new TrendFindings(trend.confidence(), series, blockSeconds()).found();
    }

    private TrendFindings.Series ofState(
            String name,
            String unit,
            String key,
            StateWatch looks,
            double seconds,
            ToDoubleFunction<StateWatch.Look> value) {
        BlockMedians blocks = new BlockMedians(blockSeconds(), seconds);
        looks.looks().forEach(look -> blocks.add(look.second(), value.applyAsDouble(look)));
        return new TrendFindings.Series(name, unit, key, UNBOUNDED, blocks);
    }

    private BlockMedians blocks(List<Sample> samples, double seconds, ToDoubleFunction<Sample> value) {
        BlockMedians blocks = new BlockMedians(blockSeconds(), seconds);
        if (!samples.isEmpty()) {
            int first = samples.get(0).second();
            samples.forEach(sample -> blocks.add(sample.second() - first, value.applyAsDouble(sample)));
        }
        return blocks;
    }

    private double blockSeconds() {
        return trend.block().toMillis() / 1000.0;
    }

    private static double number(@Nullable Number value) {
        return value == null ? Double.NaN : value.doubleValue();
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
