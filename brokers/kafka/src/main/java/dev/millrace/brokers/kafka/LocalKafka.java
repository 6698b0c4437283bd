package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.Uuid;

/** A Kafka server on this machine: broker and controller in one process, on loopback. */
final class LocalKafka implements LocalBroker {
    private static final String NAME = "kafka";
    private static final String FORMAT = "kafka-format";
    private static final int WELL_KNOWN_PORT = 9092;
    private static final Duration FORMAT_BOUND = Duration.ofSeconds(60);
    private static final Duration READY_BOUND = Duration.ofSeconds(60);
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    private static final int START_ATTEMPTS = 3;
    private static final int TAIL_LINES = 20;

    private final Path directory;
    private final Options options;
    private final int port;
    private final List<String> command;
    private volatile ServerProcess process;

    private LocalKafka(Path directory, Options options, int port, List<String> command, ServerProcess process) {
        this.directory = directory;
        this.options = options;
        this.port = port;
        this.command = command;
        this.process = process;
    }

    static LocalKafka start(Path workDirectory, Options options) {
        KafkaOptions bound = KafkaOptions.bindLocal(options);
        Path directory = workDirectory.toAbsolutePath().normalize();
        Path jars = KafkaServerFiles.jars();
        List<String> command = KafkaServerFiles.command(
                directory,
                jars,
                bound.memoryBytes(),
                List.of(
                        "kafka.Kafka",
                        directory.resolve(KafkaServerFiles.SETTINGS).toString()));
        Optional<ServerProcess> running = ServerProcess.running(NAME, directory);
        if (running.isPresent()) {
            return takeOver(directory, options, bound, command, running.get());
        }
        for (int attempt = 1; ; attempt++) {
            int port = bound.port() > 0 ? Ports.named(bound.port(), "port") : Ports.firstFree(WELL_KNOWN_PORT);
            int controllerPort = Ports.firstFree(port + 1);
            KafkaServerFiles.write(directory, port, controllerPort, bound, KafkaServerFiles.version(jars));
            format(directory, jars, bound.memoryBytes());
            LocalKafka kafka = new LocalKafka(directory, options, port, command, launch(directory, command));
            try {
                kafka.awaitReady();
                return kafka;
            } catch (EnvironmentException e) {
                // Somebody else was faster between the look at the ports and the server's own start.
                boolean taken = !Ports.isFree(port) || !Ports.isFree(controllerPort);
                if (!taken || bound.port() > 0 || attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static LocalKafka takeOver(
            Path directory, Options options, KafkaOptions bound, List<String> command, ServerProcess running) {
        int port = KafkaServerFiles.portOf(directory);
        if (bound.port() > 0 && bound.port() != port) {
            throw new UserException("a Kafka server runs in " + directory + " on port " + port + ", not on "
                    + bound.port() + "; stop it first or leave the option port out");
        }
        running.resume();
        LocalKafka kafka = new LocalKafka(directory, options, port, command, running);
        kafka.awaitReady();
        return kafka;
    }

    private static ServerProcess launch(Path directory, List<String> command) {
        return ServerProcess.start(NAME, directory, command, Map.of());
    }

    /** Gives the data directory its cluster id, once. */
    private static void format(Path directory, Path jars, long memoryBytes) {
        if (Files.exists(KafkaServerFiles.data(directory).resolve("meta.properties"))) {
            return;
        }
        ServerProcess format = ServerProcess.start(
                FORMAT,
                directory,
                KafkaServerFiles.command(
                        directory,
                        jars,
                        memoryBytes,
                        List.of(
                                "kafka.tools.StorageTool",
                                "format",
                                "--ignore-formatted",
                                "-t",
                                Uuid.randomUuid().toString(),
                                "-c",
                                directory.resolve(KafkaServerFiles.SETTINGS).toString())),
                Map.of());
        boolean ended = format.awaitExit(FORMAT_BOUND);
        format.stop(STOP_BOUND);
        if (!ended || !Files.exists(KafkaServerFiles.data(directory).resolve("meta.properties"))) {
            throw new EnvironmentException("the Kafka server's data directory " + KafkaServerFiles.data(directory)
                    + " could not be formatted:\n" + format.logTail(TAIL_LINES));
        }
    }

    /** Returns when a client can use it; on failure nothing is left running. */
    private void awaitReady() {
        long deadline = System.nanoTime() + READY_BOUND.toNanos();
        boolean listening = false;
        while (System.nanoTime() < deadline) {
            if (!process.isAlive()) {
                throw new EnvironmentException(
                        "the Kafka server ended while it started, see " + log() + ":\n" + tail());
            }
            listening = listening || listens();
            if (listening && answers()) {
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            if (Thread.interrupted()) {
                process.stop(STOP_BOUND);
                Thread.currentThread().interrupt();
                throw new EnvironmentException("interrupted while the Kafka server started");
            }
        }
        process.stop(STOP_BOUND);
        throw new EnvironmentException("the Kafka server did not answer on " + address() + " within "
                + READY_BOUND.toSeconds() + " s, see " + log() + ":\n" + tail());
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean answers() {
        Map<String, Object> settings = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address(),
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5000);
        try (Admin admin = Admin.create(settings)) {
            DescribeClusterResult cluster = admin.describeCluster();
            // On a port that was lost to another server, that one answers.
            return !cluster.nodes().get(5, TimeUnit.SECONDS).isEmpty()
                    && KafkaServerFiles.clusterId(directory)
                            .equals(cluster.clusterId().get(5, TimeUnit.SECONDS));
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What the log says last, and before it what went to the console: a wrong setting shows only there. */
    private String tail() {
        try {
            List<String> lines = Files.exists(log()) ? Files.readAllLines(log()) : List.of();
            String last = String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
            return process.logTail(TAIL_LINES) + "\n" + last;
        } catch (IOException e) {
            return process.logTail(TAIL_LINES);
        }
    }

    @Override
    public Options options() {
        return options.with("address", address());
    }

    @Override
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public Path log() {
        return directory.resolve(KafkaServerFiles.LOG);
    }

    @Override
    public synchronized void kill() {
        process.kill();
    }

    @Override
    public synchronized void restart() {
        if (process.isAlive()) {
            process.stop(STOP_BOUND);
        }
        if (!Ports.isFree(port)) {
            throw new EnvironmentException(
                    "port " + port + " of the Kafka server was taken by another process while it was"
                            + " down; stop that one, then the server starts again");
        }
        process = launch(directory, command);
        awaitReady();
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public synchronized void close() {
        process.stop(STOP_BOUND);
    }
}
