package dev.millrace.connectors.job;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a {@link JobManager} runs: the job of {@link Main}, and the end of the process (exit code 1) when Flink has given the job up.
 * A process that ends is started again by whoever keeps it, and the next goes on from the newest checkpoint; a JobManager that runs
 * on with a job that has failed for good would look well. One whose job is through, or was cancelled by a person, stays to be looked
 * at.
 */
public final class KeptJob {
    private static final Logger LOG = LoggerFactory.getLogger(KeptJob.class);
    private static final long ASK_AGAIN_SECONDS = 2;

    private KeptJob() {}

    public static void main(String[] args) throws Exception {
        StackJob job = Main.job(args);
        watch(Main.environment(job).executeAsync(Main.name(job)));
    }

    private static void watch(JobClient job) {
        job.getJobExecutionResult().whenComplete((result, failure) -> {
            if (failure == null || is(JobCancellationException.class, failure)) {
                return;
            }
            if (is(JobExecutionException.class, failure)) {
                LOG.error("The job has failed for good, and this process ends with it.", failure);
                // Not in a thread of Flink's, which the hooks of the exit may wait for.
                new Thread(() -> System.exit(1), "job-ended").start();
                return;
            }
            LOG.warn("How the job is could not be asked.", failure);
            CompletableFuture.delayedExecutor(ASK_AGAIN_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> watch(job));
        });
    }

    private static boolean is(Class<? extends Throwable> kind, Throwable failure) {
        return ExceptionUtils.findThrowable(failure, kind).isPresent();
    }
}
