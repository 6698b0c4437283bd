package dev.millrace.perf.burst;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.Logs;
import dev.millrace.deploy.local.PropertiesFile;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.local.part.TopicsBeside;
import dev.millrace.perf.probe.ProcessUse;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The same rows in every {@link Arrangement}, to a topic of a stack's broker that is made for it: each is sent by a new process, so
 * that none has the threads, buffers or compiled code of another. Used by one thread.
 */
public final class SendComparison {
    /** Enough that the client has its connections and the compiler its work; of every arrangement alike. */
    private static final int WARM_UP_ROWS = 2_000;

    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    private static final long LOOK_NANOS = 100_000_000L;
    private static final int LOG_LINES = 10;

    private final Installation installation;
    private final RunDirectory directory;
    private final StackSettings settings;
    private final LongConsumer pause;

    /** @param pause waits so many nanoseconds; what it throws ends the comparison, and the process that sends */
    public SendComparison(
            Installation installation, RunDirectory directory, StackSettings settings, LongConsumer pause) {
        this.installation = installation;
        this.directory = directory;
        this.settings = settings;
        this.pause = pause;
    }

    /**
     * What is sent, alike in every arrangement.
     *
     * @param rows as many threads may be there at once
     * @param rowBytes of each
     * @param limit what has no acknowledgement by then has expired
     */
    public record Task(int rows, int rowBytes, int poolThreads, Duration limit) {}

    /**
     * One arrangement's.
     *
     * @param brokerCpuMillis of the broker's process meanwhile, start of the client and warm-up included; NaN where it is a person's own
     */
    public record Found(SendResult sends, double brokerCpuMillis) {}

    /** Throws EnvironmentException when the process fails or does not end within its bound. */
    public Found of(Arrangement arrangement, Task task) {
        StackState state = directory.presentState();
        String topic = settings.topic() + "-sends-" + arrangement.word();
        Path folder = directory.benchmarkFolder().resolve("sends-" + arrangement.word());
        try (BrokerClient client = installation.load(settings.broker()).connect(state.brokerOptions())) {
            TopicsBeside topics = new TopicsBeside(directory, settings);
            topics.make(client, topic);
            try {
                return sent(arrangement, task, state, topic, folder);
            } finally {
                topics.remove(client, topic);
            }
        } catch (IOException e) {
            throw new EnvironmentException("cannot send rows from " + folder + ": " + e.getMessage(), e);
        }
    }

    private Found sent(Arrangement arrangement, Task task, StackState state, String topic, Path folder)
            throws IOException {
        Path result = folder.resolve("result.json");
        Path file = write(folder, settingsOf(arrangement, task, state, topic, result));
        long broker = state.part(StackState.BROKER).pid();
        double cpuBefore = cpuMillis(broker);
        Path log = folder.resolve("sends.log");
        Process process = new ProcessBuilder(command(folder, file))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            long deadline = System.nanoTime() + bound(task).toNanos();
            while (process.isAlive() && System.nanoTime() < deadline) {
                pause.accept(LOOK_NANOS);
            }
            if (process.isAlive() || process.exitValue() != 0) {
                throw new EnvironmentException("the process that sends rows " + arrangement.meaning()
                        + (process.isAlive() ? " did not end in time" : " failed") + "; the end of " + log + ":\n"
                        + String.join("\n", Logs.last(log, LOG_LINES)));
            }
            return new Found(
                    new ObjectMapper().readValue(result.toFile(), SendResult.class), cpuMillis(broker) - cpuBefore);
        } finally {
            end(process);
            // It says how to get into the broker.
            Files.delete(file);
        }
    }

    /** A pool waits for each send of each thread, the others for all at once; the warm-up likewise. */
    private static Duration bound(Task task) {
        long turns = 2L + (task.rows() + WARM_UP_ROWS) / task.poolThreads();
        return START_BOUND.plus(task.limit().multipliedBy(Math.min(turns, 10)));
    }

    private static double cpuMillis(long pid) {
        return pid == 0
                ? Double.NaN
                : ProcessUse.of(pid).map(use -> use.cpu().toNanos() / 1e6).orElse(Double.NaN);
    }

    private Map<String, String> settingsOf(
            Arrangement arrangement, Task task, StackState state, String topic, Path result) {
        Map<String, String> values = new TreeMap<>();
        state.brokerOptions().asMap().forEach((key, value) -> values.put("broker." + key, value));
        values.put(SendProcess.BROKER, settings.broker());
        values.put(SendProcess.TOPIC, topic);
        values.put(SendProcess.ARRANGEMENT, arrangement.name());
        values.put(SendProcess.ROWS, Integer.toString(task.rows()));
        values.put(SendProcess.WARM_UP_ROWS, Integer.toString(Math.min(WARM_UP_ROWS, task.rows())));
        values.put(SendProcess.ROW_BYTES, Integer.toString(task.rowBytes()));
        values.put(SendProcess.POOL_THREADS, Integer.toString(task.poolThreads()));
        values.put(SendProcess.LIMIT_MILLIS, Long.toString(task.limit().toMillis()));
        values.put(SendProcess.RESULT, result.toString());
        return values;
    }

    private static Path write(Path folder, Map<String, String> values) {
        Path file = folder.resolve("sends.properties");
        PropertiesFile.write(file, values);
        return file;
    }

    private List<String> command(Path folder, Path file) {
        String classPath = String.join(
                ":",
                ownJar().toString(),
                installation.classPath(),
                installation.builtPlugin(settings.broker()).resolve("*").toString());
        return List.of(
                Installation.java(),
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                classPath,
                SendProcess.class.getName(),
                file.toString());
    }

    /** The jar, or in a test the folder, that this class comes from. */
    private static Path ownJar() {
        try {
            return Path.of(SendComparison.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of this class is no path", e);
        }
    }

    private static void end(Process process) {
        process.destroyForcibly();
        try {
            process.waitFor(STOP_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
