package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.LogServer;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The server inside this process, for tests: a gate instead of SIGSTOP, closing instead of SIGKILL. Thread-safe. */
final class LocalInProcess implements LocalBroker {
    private static final Map<Path, LocalInProcess> RUNNING = new ConcurrentHashMap<>();

    private final Path directory;
    private final LocalOptions options;
    private final int port;
    private final long budgetBytes;
    private LogServer server;

    private LocalInProcess(Path directory, LocalOptions options, int port, long budgetBytes, LogServer server) {
        this.directory = directory;
        this.options = options;
        this.port = port;
        this.budgetBytes = budgetBytes;
        this.server = server;
    }

    static LocalInProcess start(Path directory, LocalOptions options) {
        Path key = directory.toAbsolutePath().normalize();
        return RUNNING.computeIfAbsent(key, path -> {
            int port = options.port() == 0
                    ? Ports.firstFree(LocalOptions.WELL_KNOWN_PORT)
                    : Ports.named(options.port(), "port");
            long budgetBytes = options.budgetBytes();
            LocalInProcess local =
                    new LocalInProcess(path, options, port, budgetBytes, InProcess.start(port, budgetBytes));
            local.note("listening on " + local.address());
            return local;
        });
    }

    private void note(String line) {
        try {
            Files.createDirectories(directory);
            Files.writeString(log(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + log() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Options options() {
        return options.client(address());
    }

    @Override
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public long pid() {
        return 0;
    }

    @Override
    public synchronized boolean isAlive() {
        return server.isOpen();
    }

    @Override
    public Path log() {
        return directory.resolve("memory-broker.log");
    }

    @Override
    public synchronized void kill() {
        try {
            server.close();
        } catch (IOException e) {
            throw new EnvironmentException("cannot close the server at " + address() + ": " + e.getMessage(), e);
        }
        note("ended");
    }

    @Override
    public synchronized void restart() {
        if (server.isOpen()) {
            kill();
        }
        server = InProcess.start(port, budgetBytes);
        note("listening on " + address() + " again");
    }

    @Override
    public synchronized void pause() {
        server.pause();
    }

    @Override
    public synchronized void resume() {
        server.resume();
    }

    @Override
    public void close() {
        RUNNING.remove(directory, this);
        kill();
    }
}
