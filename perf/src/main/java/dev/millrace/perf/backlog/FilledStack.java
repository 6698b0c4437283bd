package dev.millrace.perf.backlog;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.round.LeftStacks;
import dev.millrace.perf.round.StackUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded stack that has sent its readings and drained them once; its broker, generator and store stay up until {@link #close}.
 * The counter of that drain is read from the TaskManager's own metrics endpoint, because Flink's REST interface shows values
 * that are seconds old.
 */
final class FilledStack implements AutoCloseable {
    private static final String COUNTER = "_readingsDecoded";
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(100);
    private static final Duration BOUND = Duration.ofMinutes(60);

    private final String broker;
    private final Path runDir;
    private final RunDirectory directory;
    private final Consumer<String> progress;
    private final MetricsPage metrics;

    private volatile @Nullable CompletableFuture<Integer> starting;

    FilledStack(String broker, Path runDir, Consumer<String> progress) {
        this.broker = broker;
        this.runDir = runDir;
        this.directory = RunDirectory.of(runDir, broker);
        this.metrics = new MetricsPage(directory);
        this.progress = progress;
    }

    RunDirectory directory() {
        return directory;
    }

    /** Where the variants' processes and drains have their folders. */
    Path drains() {
        return directory.benchmarkFolder().resolve("drains");
    }

    /** Moves what a drain left to where the results are: the stack's own folders go with it. */
    void keep(Path drain) throws IOException {
        Path kept = Files.createDirectories(runDir.resolve("results"))
                .resolve(broker + "-" + drain.getFileName() + "-" + System.currentTimeMillis());
        Files.move(drain, kept);
        progress.accept("  kept in " + kept + ": what this drain stored, and the settings of its job");
    }

    StackSettings settings() {
        return directory.presentSettings();
    }

    StackState state() {
        return directory.presentState();
    }

    /**
     * Brings the stack up, waits until all is drained, and audits it.
     *
     * @param options of {@code millrace up}, by name
     */
    Drain fill(long readings, Map<String, String> options) {
        Map<String, String> all = up(broker, readings, options);
        all.put("run-dir", runDir.toString());
        List<String> arguments = new ArrayList<>(List.of("up"));
        // What goes to the plugin or the store is known by its equals sign.
        all.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        LeftStacks.mark(directory);
        CompletableFuture<Integer> up =
                CompletableFuture.supplyAsync(() -> Millrace.run(System.err, arguments.toArray(String[]::new)));
        starting = up;
        Drain drain = watch(up, readings);
        int code = Millrace.run(System.err, "audit", "--broker", broker, "--run-dir", runDir.toString());
        return drain.with(code == Millrace.OK ? Drain.Verdict.EQUAL : Drain.Verdict.DIFFERENT);
    }

    /**
     * The settings of the stack, by name.
     *
     * @param options of {@code millrace up} that a person named
     */
    static Map<String, String> up(String broker, long readings, Map<String, String> options) {
        Map<String, String> all = new TreeMap<>(options);
        all.put("broker", broker);
        all.put("readings", Long.toString(readings));
        all.put("rate", "max");
        return all;
    }

    private Drain watch(CompletableFuture<Integer> up, long readings) {
        Samples samples = new Samples();
        long deadline = System.nanoTime() + BOUND.toNanos();
        Optional<Duration> brokerCpuBefore = Optional.empty();
        Optional<Duration> storeCpuBefore = Optional.empty();
        Duration jobCpu = Duration.ZERO;
        boolean draining = false;
        while (System.nanoTime() < deadline) {
            StackState state = directory.state().orElse(null);
            if (up.isDone()) {
                StackUp.require(broker, up.join());
            }
            if (state != null) {
                StackState.Part job = state.part(StackState.TASK_MANAGER);
                if (!draining && job.pid() > 0) {
                    draining = true;
                    brokerCpuBefore = cpu(state, StackState.BROKER);
                    storeCpuBefore = cpu(state, StackState.STORE);
                    progress.accept("  filled; the stack drains");
                }
                if (draining) {
                    jobCpu = cpu(state, StackState.TASK_MANAGER).orElse(jobCpu);
                    long now = System.nanoTime();
                    metrics.sum(job.metricsUrl(), COUNTER).ifPresent(count -> samples.add(now, count));
                }
                if (state.state() == StackState.State.FINISHED) {
                    Optional<Duration> brokerCpu = cpu(state, StackState.BROKER);
                    Optional<Duration> storeCpu = cpu(state, StackState.STORE);
                    awaitUp(up);
                    return new Drain(
                            broker,
                            Drain.STACK,
                            0,
                            readings,
                            samples.rateBetween(readings * 0.1, readings * 0.9),
                            (System.nanoTime() - samples.firstNanos()) / 1e9,
                            Drain.cpuPerMillion(Optional.of(Duration.ZERO), Optional.of(jobCpu), readings),
                            Drain.cpuPerMillion(brokerCpuBefore, brokerCpu, readings),
                            Drain.cpuPerMillion(storeCpuBefore, storeCpu, readings),
                            Double.NaN,
                            Double.NaN,
                            MachineUse.UNKNOWN,
                            0,
                            0,
                            Drain.Verdict.DIFFERENT);
                }
            }
            LockSupport.parkNanos(SAMPLE_INTERVAL.toNanos());
        }
        throw new EnvironmentException("the stack of broker '" + broker + "' did not finish within " + BOUND);
    }

    private static void awaitUp(CompletableFuture<Integer> up) {
        try {
            up.get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new EnvironmentException("`up` did not return although the run is finished", e);
        }
    }

    private static Optional<Duration> cpu(StackState state, String part) {
        long pid = state.part(part).pid();
        return pid <= 0
                ? Optional.empty()
                : ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration());
    }

    /** Stops it and removes its data, unless {@code up} still runs: that undoes what it did when this process is ended. */
    @Override
    public synchronized void close() {
        CompletableFuture<Integer> up = starting;
        if (up != null && !up.isDone()) {
            return;
        }
        if (directory.settings().isPresent()) {
            Millrace.run(System.err, "down", "--broker", broker, "--run-dir", runDir.toString());
        }
    }
}
