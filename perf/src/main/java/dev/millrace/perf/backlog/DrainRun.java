package dev.millrace.perf.backlog;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One bounded stack from `up` to `down`, watched while it drains. The counter is read from the TaskManager's own metrics
 * endpoint, because Flink's REST interface shows values that are seconds old.
 */
final class DrainRun {
    private static final String COUNTER = "readingsDecoded";
    private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(100);
    private static final Duration BOUND = Duration.ofMinutes(30);

    private final String broker;
    private final long readings;
    private final long devices;
    private final List<String> upOptions;
    private final Path runDir;
    private final Consumer<String> progress;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    DrainRun(
            String broker,
            long readings,
            long devices,
            List<String> upOptions,
            @Nullable Path runDir,
            Consumer<String> progress) {
        this.broker = broker;
        this.readings = readings;
        this.devices = devices;
        this.upOptions = upOptions;
        this.runDir = runDir != null
                ? runDir.toAbsolutePath()
                : RunDirectory.defaultBase(Installation.here()).resolve("benchmark");
        this.progress = progress;
    }

    Drain run(int round) {
        RunDirectory directory = RunDirectory.of(runDir, broker);
        try {
            CompletableFuture<Integer> up = CompletableFuture.supplyAsync(() -> Millrace.run(up()));
            Drain drain = watch(directory, up, round);
            int code = Millrace.run("audit", "--broker", broker, "--run-dir", runDir.toString());
            return new Drain(
                    drain.broker(),
                    drain.round(),
                    drain.readings(),
                    drain.rateReadingsPerSecond(),
                    drain.secondsToLastRow(),
                    drain.jobCpuSecondsPerMillion(),
                    drain.brokerCpuSecondsPerMillion(),
                    code == Millrace.OK);
        } finally {
            Millrace.run("down", "--broker", broker, "--run-dir", runDir.toString());
        }
    }

    private String[] up() {
        List<String> arguments = new ArrayList<>(List.of(
                "up",
                "--broker",
                broker,
                "--run-dir",
                runDir.toString(),
                "--readings",
                Long.toString(readings),
                "--rate",
                "max",
                "--devices",
                Long.toString(devices)));
        boolean ownRetention = upOptions.stream().anyMatch(option -> option.startsWith("retention-bytes="));
        if (!ownRetention) {
            // The whole backlog must stay until it is drained: 300 bytes each, and room for the broker's own.
            arguments.addAll(List.of("--retention-bytes", Math.max(1L << 30, readings * 600) + ""));
        }
        upOptions.forEach(option -> arguments.add("--" + option));
        return arguments.toArray(String[]::new);
    }

    private Drain watch(RunDirectory directory, CompletableFuture<Integer> up, int round) {
        Samples samples = new Samples();
        long deadline = System.nanoTime() + BOUND.toNanos();
        Duration brokerCpuBefore = Duration.ZERO;
        Duration jobCpu = Duration.ZERO;
        boolean draining = false;
        while (System.nanoTime() < deadline) {
            StackState state = directory.state().orElse(null);
            if (up.isDone() && up.join() != Millrace.OK) {
                throw new EnvironmentException("the stack of broker '" + broker + "' did not come up; see above");
            }
            if (state != null) {
                StackState.Part job = state.part(StackState.TASK_MANAGER);
                if (!draining && job.pid() > 0) {
                    draining = true;
                    brokerCpuBefore = cpu(state.part(StackState.BROKER).pid()).orElse(Duration.ZERO);
                    progress.accept("  filled; draining");
                }
                if (draining) {
                    jobCpu = cpu(job.pid()).orElse(jobCpu);
                    long now = System.nanoTime();
                    counter(job.metricsUrl()).ifPresent(count -> samples.add(now, count));
                }
                if (state.state() == StackState.State.FINISHED) {
                    Duration brokerCpu = cpu(state.part(StackState.BROKER).pid())
                            .orElse(brokerCpuBefore)
                            .minus(brokerCpuBefore);
                    double millions = readings / 1e6;
                    awaitUp(up);
                    return new Drain(
                            broker,
                            round,
                            readings,
                            samples.rateBetween(readings * 0.1, readings * 0.9),
                            (System.nanoTime() - samples.firstNanos()) / 1e9,
                            jobCpu.toNanos() / 1e9 / millions,
                            brokerCpu.toNanos() / 1e9 / millions,
                            false);
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

    private static Optional<Duration> cpu(long pid) {
        return pid <= 0
                ? Optional.empty()
                : ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration());
    }

    /** The sum of the counter over all subtasks, from Prometheus' text format. */
    private Optional<Double> counter(String metricsUrl) {
        if (metricsUrl.isEmpty()) {
            return Optional.empty();
        }
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(metricsUrl))
                            .timeout(Duration.ofSeconds(2))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            double sum = answer.body()
                    .lines()
                    .filter(line -> !line.startsWith("#")
                            && line.substring(0, Math.max(0, line.indexOf('{'))).endsWith("_" + COUNTER))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
            return Optional.of(sum);
        } catch (IOException e) {
            // The TaskManager is still starting or has just ended.
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
