package dev.millrace.connectors.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
@DisplayName("The job in its own processes")
class JobProcessesTest {
    private static final int CHUNKS = 200;
    private static final Duration BOUND = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    private final List<ServerProcess> started = new ArrayList<>();
    private int restPort;
    private int rpcPort;

    @BeforeEach
    void choosePorts() {
        restPort = Ports.firstFree(18081);
        rpcPort = Ports.firstFree(16123);
    }

    @AfterEach
    void stopAll() {
        started.stream().filter(ServerProcess::isAlive).forEach(ServerProcess::kill);
    }

    @Test
    @DisplayName("has every window once when TaskManager and JobManager are killed in mid-stream")
    void survivesKills() throws Exception {
        configure(settings());
        ServerProcess jobManager = jobManager();
        ServerProcess taskManager = taskManager();

        await("first rows", () -> rows().size() > 20);
        taskManager.kill();
        taskManager();
        int before = rows().size();
        await("rows after the TaskManager's death", () -> rows().size() > before + 40);
        jobManager.kill();
        started.get(started.size() - 1).kill();
        jobManager();
        taskManager();

        awaitEveryWindowOnce();
        List<Object> letters = new ArrayList<>();
        new FolderStore()
                .connect(Options.none().with("path", store().toString()))
                .deadLetters(letters::add);
        assertThat(letters).isEmpty();
    }

    @Test
    @DisplayName("ends with its job when that has failed for good, so that it is started again")
    void endsWithAFailedJob() throws Exception {
        Path givenUp = directory.resolve("given-up");
        configure(settings() + "\nbroker.fails-beside=" + givenUp);
        ServerProcess jobManager = jobManager();
        ServerProcess taskManager = taskManager();
        await("first rows", () -> rows().size() > 20);
        Files.createFile(givenUp);
        await("the end of the JobManager", () -> !jobManager.isAlive());
        taskManager.kill();
        Files.delete(givenUp);
        jobManager();
        taskManager();

        awaitEveryWindowOnce();
    }

    @Test
    @DisplayName("ends with exit code 2 and a sentence when a setting is wrong")
    void refusesWrongSettings() throws Exception {
        configure(settings() + "\nwindwo=1s\n");
        Path said = directory.resolve("said.txt");
        Process process = new ProcessBuilder(jobManagerCommand())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(said);
        assertThat(process.exitValue()).as(output).isEqualTo(2);
        assertThat(output).contains("unknown key 'windwo'. Did you mean 'window'?");
    }

    private void awaitEveryWindowOnce() throws Exception {
        await("the end of the job", () -> get("/jobs/overview").contains("\"state\":\"FINISHED\""));
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(expected());
    }

    private String settings() {
        return String.join(
                "\n",
                "broker=scripted",
                "broker.chunks=" + CHUNKS,
                "broker.pause-millis=50",
                "topic=readings",
                "reader-group=test",
                "stop-at=end",
                "store=folder",
                "store.path=" + store(),
                "window=1s",
                "parallelism=2",
                "checkpoint-interval=500ms",
                "checkpoint-directory=" + directory.resolve("checkpoints").toUri());
    }

    private Path store() {
        return directory.resolve("store");
    }

    private void configure(String settings) throws IOException {
        Files.createDirectories(store());
        Files.writeString(directory.resolve("job.properties"), settings);
        Files.writeString(
                directory.resolve("config.yaml"),
                String.join(
                        "\n",
                        "jobmanager.rpc.address: 127.0.0.1",
                        "jobmanager.bind-host: 127.0.0.1",
                        "jobmanager.rpc.port: " + rpcPort,
                        "rest.address: 127.0.0.1",
                        "rest.bind-address: 127.0.0.1",
                        "rest.port: " + restPort,
                        "rest.bind-port: " + restPort,
                        "taskmanager.host: 127.0.0.1",
                        "taskmanager.bind-host: 127.0.0.1",
                        "taskmanager.numberOfTaskSlots: 2",
                        "taskmanager.cpu.cores: 2",
                        "taskmanager.memory.task.heap.size: 128 mb",
                        "taskmanager.memory.task.off-heap.size: 0 mb",
                        "taskmanager.memory.framework.heap.size: 64 mb",
                        "taskmanager.memory.framework.off-heap.size: 64 mb",
                        "taskmanager.memory.network.min: 32 mb",
                        "taskmanager.memory.network.max: 32 mb",
                        "taskmanager.memory.managed.size: 16 mb",
                        "taskmanager.memory.jvm-metaspace.size: 128 mb",
                        "taskmanager.memory.jvm-overhead.min: 64 mb",
                        "taskmanager.memory.jvm-overhead.max: 64 mb",
                        "execution.shutdown-on-application-finish: false",
                        "heartbeat.interval: 2 s",
                        "heartbeat.timeout: 15 s",
                        "cluster.registration.error-delay: 500 ms",
                        ""));
    }

    private ServerProcess jobManager() {
        return keep(ServerProcess.start("job-manager", directory, jobManagerCommand(), Map.of()));
    }

    private List<String> jobManagerCommand() {
        List<String> command = java();
        command.add("dev.millrace.connectors.job.JobManager");
        command.addAll(List.of("--configDir", directory.toString()));
        command.addAll(List.of("--settings", directory.resolve("job.properties").toString()));
        return command;
    }

    private ServerProcess taskManager() {
        List<String> command = java();
        command.add("org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
        command.addAll(List.of("--configDir", directory.toString()));
        return keep(ServerProcess.start("task-manager", directory, command, Map.of()));
    }

    private ServerProcess keep(ServerProcess process) {
        started.add(process);
        return process;
    }

    /** The job jar, Flink, and the test's plugin: what a stack's processes have on their class path. */
    private static List<String> java() {
        Path target = Path.of(System.getProperty("millrace.root"), "connectors/job/target");
        try {
            String classPath = target.resolve("millrace-job.jar") + ":"
                    + Files.readString(target.resolve("flink-classpath")).trim() + ":" + target.resolve("test-classes");
            return new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "--add-opens=java.base/java.util=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "-cp",
                    classPath));
        } catch (IOException e) {
            throw new AssertionError("the job jar is made in phase package", e);
        }
    }

    private List<DeviceWindow> rows() {
        List<DeviceWindow> rows = new ArrayList<>();
        new FolderStore()
                .connect(Options.none().with("path", store().toString()))
                .windows(Long.MIN_VALUE, Long.MAX_VALUE, rows::add);
        return rows;
    }

    private static List<DeviceWindow> expected() {
        WindowSettings window = WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ZERO);
        Map<String, Map<Long, Accumulator>> all = new HashMap<>();
        Reading reading = new Reading();
        for (int partition = 0; partition < ScriptedSource.PARTITIONS; partition++) {
            for (int n = 0; n < CHUNKS * ScriptedSource.CHUNK_READINGS; n++) {
                ScriptedSource.fill(reading, partition, n);
                all.computeIfAbsent(reading.deviceId, device -> new HashMap<>())
                        .computeIfAbsent(window.sliceEnd(reading.eventTime), end -> new Accumulator())
                        .add(reading);
            }
        }
        List<DeviceWindow> rows = new ArrayList<>();
        all.forEach((device, windows) ->
                windows.forEach((end, values) -> rows.add(new DeviceWindow(device, end - 1000, end, values))));
        return rows;
    }

    private String get(String path) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + restPort + path))
                                    .timeout(Duration.ofSeconds(5))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited too long for " + what + "; " + rows().size() + " rows; "
                        + started.get(0).logTail(60) + started.get(1).logTail(60));
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }
}
