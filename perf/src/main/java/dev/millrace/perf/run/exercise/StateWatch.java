package dev.millrace.perf.run.exercise;

import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.FolderSize;
import dev.millrace.perf.probe.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks, on a thread of its own, at what a stack keeps and a sampler does not see: the job's newest checkpoint and the broker's
 * folder. Thread-safe.
 */
final class StateWatch implements AutoCloseable {
    private static final double MEBIBYTE = 1 << 20;
    private static final String DURATION = "_lastCheckpointDuration";
    private static final String FULL_SIZE = "_lastCheckpointFullSize";

    private final RunDirectory directory;
    private final MetricsPage metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread watch = new Thread(task, "benchmark-state");
        watch.setDaemon(true);
        return watch;
    });
    private final long startNanos = System.nanoTime();
    private final List<Look> looks = new ArrayList<>();

    /**
     * What was there at one moment; NaN for what was not known.
     *
     * @param second since the watch began
     * @param checkpointMillis that the newest checkpoint took
     * @param checkpointMiB all that it refers to, also what it shares with older ones
     * @param brokerDiskMiB of all files in the broker's folder, logs included
     */
    record Look(double second, double checkpointMillis, double checkpointMiB, double brokerDiskMiB) {}

    StateWatch(RunDirectory directory, long everyMillis) {
        this.directory = directory;
        this.metrics = new MetricsPage(directory);
        thread.scheduleWithFixedDelay(this::look, 0, everyMillis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            StackState state = directory.presentState();
            String page = state.part(StackState.JOB_MANAGER).metricsUrl();
            Look look = new Look(
                    (System.nanoTime() - startNanos) / 1e9,
                    known(metrics.sum(page, DURATION)),
                    known(metrics.sum(page, FULL_SIZE)) / MEBIBYTE,
                    brokerBytes(directory, state) / MEBIBYTE);
            synchronized (looks) {
                looks.add(look);
            }
        } catch (RuntimeException e) {
            // One look less; what is wrong with the stack is found by the marks and the audit.
            return;
        }
    }

    /** In the broker's folder; NaN for a broker that has none here, whatever an earlier one has left there. */
    static double brokerBytes(RunDirectory directory, StackState state) {
        return state.part(StackState.BROKER).isKeptByOthers() ? Double.NaN : FolderSize.bytes(directory.brokerFolder());
    }

    /** Before its first checkpoint a job says -1. */
    private static double known(OptionalDouble value) {
        return value.isPresent() && value.getAsDouble() >= 0 ? value.getAsDouble() : Double.NaN;
    }

    List<Look> looks() {
        synchronized (looks) {
            return List.copyOf(looks);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
