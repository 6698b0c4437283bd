package dev.millrace.perf.run.exercise;

import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MetricsPage;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/** How often a stack's job had to start again from a checkpoint while its processes went on, and why. */
final class JobFailures {
    private static final String RESTARTS = "_numRestarts";
    /** A machine that is busy with a burst may leave a question unanswered, and a run must not be INVALID for that. */
    private static final int QUESTIONS = 5;

    private static final long PAUSE_NANOS = 200_000_000;

    private final RunDirectory directory;
    private final MetricsPage metrics;

    JobFailures(RunDirectory directory) {
        this.directory = directory;
        this.metrics = new MetricsPage(directory);
    }

    /** Since the JobManager's start; empty when it does not answer. */
    OptionalDouble count() {
        OptionalDouble count = metrics.sum(jobManager().metricsUrl(), RESTARTS);
        for (int asked = 1; asked < QUESTIONS && count.isEmpty(); asked++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            count = metrics.sum(jobManager().metricsUrl(), RESTARTS);
        }
        return count;
    }

    /** Why it last did; empty when nobody knows. */
    String newest() {
        return new FlinkRest(jobManager().url(), directory.jobId())
                .failures().stream().findFirst().orElse("");
    }

    private StackState.Part jobManager() {
        return directory.presentState().part(StackState.JOB_MANAGER);
    }
}
