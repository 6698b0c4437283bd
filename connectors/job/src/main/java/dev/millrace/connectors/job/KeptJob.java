package dev.millrace.connectors.job;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a {@link JobManager} runs: the job of {@link Main}, and the end of the process (exit code 1) when the job was cancelled or
 * Flink has given it up. A process that ends is started again by whoever keeps it, and the next goes on from the newest checkpoint;
 * a JobManager that runs on with a job that has ended would look well. One that is through, or was stopped with a savepoint, stays
 * to be looked at.
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
            if (failure == null) {
                return;
            }
            if (ExceptionUtils.findThrowable(failure, JobExecutionException.class)
                    .isPresent()) {
                LOG.error("The job has ended without being through, and this process with it.", failure);
                // Not in a thread of Flink's, which the hooks of the exit may wait for.
                new Thread(() -> System.exit(1), "job-ended").start();
                return;
            }
            LOG.warn("How the job is could not be asked.", failure);
            CompletableFuture.delayedExecutor(ASK_AGAIN_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> watch(job));
        });
    }
}
