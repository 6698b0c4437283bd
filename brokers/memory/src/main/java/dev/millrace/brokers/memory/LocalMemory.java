package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The server as a process of its own. Its port is kept in a file, so that a later process finds it. Thread-safe. */
final class LocalMemory implements LocalBroker {
    private static final String NAME = "memory-broker";
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);

    private static final long YOUNG_BYTES = 64L << 20;

    private final Path directory;
    private final int port;
    private final long heapBytes;
    private volatile ServerProcess process;

    private LocalMemory(Path directory, int port, long heapBytes, ServerProcess process) {
        this.directory = directory;
        this.port = port;
        this.heapBytes = heapBytes;
        this.process = process;
    }

    static LocalMemory start(Path directory, LocalOptions options) {
        Optional<ServerProcess> running = ServerProcess.running(NAME, directory);
        if (running.isPresent()) {
            LocalMemory local = new LocalMemory(directory, readPort(directory), options.heapBytes(), running.get());
            local.awaitUsable();
            return local;
        }
        int port = options.port() == 0
                ? Ports.firstFree(LocalOptions.WELL_KNOWN_PORT)
                : Ports.named(options.port(), "port");
        writePort(directory, port);
        LocalMemory local =
                new LocalMemory(directory, port, options.heapBytes(), launch(directory, port, options.heapBytes()));
        local.awaitUsable();
        return local;
    }

    private static ServerProcess launch(Path directory, int port, long heapBytes) {
        return ServerProcess.start(
                NAME,
                directory,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heapBytes,
                        // Untouched pages cost nothing; a heap that grows step by step collects everything at each
                        // step.
                        "-Xms" + heapBytes,
                        // What is kept must fit the old generation, which is a bare two thirds without this.
                        "-Xmn" + YOUNG_BYTES,
                        "-XX:+UseParallelGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:ReservedCodeCacheSize=48m",
                        "-XX:MaxMetaspaceSize=48m",
                        "-Xss512k",
                        "-cp",
                        classPath(),
                        Server.class.getName(),
                        Integer.toString(port)),
                Map.of());
    }

    /** Where this plugin, the SPI and core lie: all that the server needs. */
    private static String classPath() {
        Set<String> entries = new LinkedHashSet<>();
        for (Class<?> type : List.of(Server.class, Broker.class, Options.class)) {
            try {
                entries.add(Path.of(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException(type + " has no code source that is a path", e);
            }
        }
        return String.join(java.io.File.pathSeparator, entries);
    }

    private static void writePort(Path directory, int port) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("port"), port + "\n");
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + directory.resolve("port") + ": " + e.getMessage(), e);
        }
    }

    private static int readPort(Path directory) {
        try {
            return Integer.parseInt(Files.readString(directory.resolve("port")).trim());
        } catch (IOException | NumberFormatException e) {
            throw new EnvironmentException(
                    "a memory broker runs in " + directory + " but its port file is unreadable: " + e.getMessage(), e);
        }
    }

    private void awaitUsable() {
        try (Control control = new Control(address())) {
            control.ask(Wire.PING, frame -> {}, FrameReader::text);
        } catch (EnvironmentException e) {
            String tail = process.logTail(20);
            if (!process.isAlive()) {
                throw new EnvironmentException("the memory broker ended at once; its log says: " + tail, e);
            }
            process.stop(STOP_BOUND);
            throw new EnvironmentException("the memory broker does not answer; its log says: " + tail, e);
        }
    }

    @Override
    public Options options() {
        return Options.of(Map.of("address", address()));
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
        return process.log();
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
        process = launch(directory, port, heapBytes);
        awaitUsable();
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
