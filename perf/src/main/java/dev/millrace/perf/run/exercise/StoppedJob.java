package dev.millrace.perf.run.exercise;

import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Stage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * Stops the job of a running stack when it has read everything, and starts it again. It is cancelled, so its checkpoints stay; a
 * stop with a savepoint would end it, and Flink drops the checkpoints of a job that has ended. Its processes stay too, idle, until
 * the start, which replaces them: the supervisor then starts the JobManager again, and that goes on from the newest checkpoint.
 * Used by one thread.
 */
final class StoppedJob {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration ORDER_BOUND = Duration.ofSeconds(10);
    private static final long LOOK_NANOS = 100_000_000L;

    private final RunDirectory directory;
    private final Interruption interruption;

    StoppedJob(Stage stage) {
        this.directory = stage.directory();
        this.interruption = stage.interruption();
    }

    /** Waits for a checkpoint that begins from now on, then stops the job; EnvironmentException when that takes too long. */
    void stop() {
        long now = System.currentTimeMillis();
        await(
                "the job made no checkpoint",
                job -> job.checkpointTriggeredMillis().orElse(0) > now);
        cancel();
        await("the job was not cancelled", job -> job.state().equals("canceled"));
    }

    private interface Wanted {
        boolean is(FlinkRest.Job job);
    }

    private void await(String otherwise, Wanted wanted) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (new FlinkRest(jobManager().url(), directory.jobId())
                .job()
                .filter(wanted::is)
                .isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException(otherwise + " within " + BOUND.toSeconds() + " s");
            }
            interruption.pause(LOOK_NANOS);
        }
    }

    private void cancel() {
        URI url = URI.create(jobManager().url() + "/jobs/" + directory.jobId() + "?mode=cancel");
        HttpRequest order = HttpRequest.newBuilder(url)
                .method("PATCH", HttpRequest.BodyPublishers.noBody())
                .timeout(ORDER_BOUND)
                .build();
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(ORDER_BOUND)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(order, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new EnvironmentException(
                        "the JobManager does not cancel the job (" + answer.statusCode() + "): " + answer.body());
            }
        } catch (IOException e) {
            throw new EnvironmentException("the JobManager does not answer, so the job is not cancelled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Interruption.Asked();
        }
    }

    /** Orders the start, and returns at once. */
    void start() {
        Optional<ServerProcess> process = directory.processes().stream()
                .filter(one -> one.name().equals(StackState.JOB_MANAGER))
                .findFirst();
        process.orElseThrow(() -> new EnvironmentException("the JobManager is gone"))
                .kill();
    }

    private StackState.Part jobManager() {
        return directory.presentState().part(StackState.JOB_MANAGER);
    }
}
