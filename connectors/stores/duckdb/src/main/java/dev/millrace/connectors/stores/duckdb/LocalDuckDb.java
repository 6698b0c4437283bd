package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Values;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/** The owner process on this machine: {@code store.properties}, {@code store.pid} and {@code store.log} in its directory. */
final class LocalDuckDb implements LocalStore {
    private static final String NAME = "store";
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    private static final Duration START_BOUND = Duration.ofSeconds(60);

    private final Path directory;
    private final int port;
    private final String id;
    private volatile ServerProcess process;

    private LocalDuckDb(Path directory, ServerProcess process) {
        OwnerSettings settings = settings(directory);
        this.directory = directory;
        this.port = settings.port();
        this.id = settings.id();
        this.process = process;
    }

    /** The owner that an earlier process started in that directory, when it is alive and answers. */
    static Optional<LocalStore> running(Path directory) {
        return ServerProcess.running(NAME, directory).map(process -> {
            LocalDuckDb local = new LocalDuckDb(directory, process);
            local.awaitAnswer();
            return local;
        });
    }

    /** The port that an owner in that directory had the last time. */
    static Optional<Integer> portBefore(Path directory) {
        return Files.exists(settingsFile(directory)) ? Optional.of(port(directory)) : Optional.empty();
    }

    /** The store's identity, for good: made with its directory. */
    static String idIn(Path directory) {
        String before =
                Files.exists(settingsFile(directory)) ? settings(directory).id() : "";
        return before.isEmpty() ? UUID.randomUUID().toString() : before;
    }

    private static int port(Path directory) {
        return settings(directory).port();
    }

    private static OwnerSettings settings(Path directory) {
        Path file = settingsFile(directory);
        return OwnerSettings.bind(Options.of(Owner.read(file)), "settings file " + file);
    }

    static LocalStore start(Path directory, OwnerSettings settings) {
        write(directory, settings);
        LocalDuckDb local = new LocalDuckDb(directory, launch(directory));
        local.awaitAnswer();
        return local;
    }

    private static Path settingsFile(Path directory) {
        return directory.resolve(NAME + ".properties");
    }

    private static void write(Path directory, OwnerSettings settings) {
        Properties properties = new Properties();
        properties.setProperty("file", settings.file().toString());
        properties.setProperty("port", Integer.toString(settings.port()));
        properties.setProperty("id", settings.id());
        properties.setProperty("retention", Values.text(settings.retention()));
        properties.setProperty("memory", Long.toString(settings.memoryBytes()));
        properties.setProperty("min-free-disk", Long.toString(settings.minFreeDiskBytes()));
        try {
            Files.createDirectories(directory);
            try (Writer writer = Files.newBufferedWriter(settingsFile(directory))) {
                properties.store(writer, "written when the store's owner is started");
            }
        } catch (IOException e) {
            throw new EnvironmentException(
                    "cannot write " + settingsFile(directory) + ": " + e.getMessage() + "; the store needs a directory"
                            + " that it can write",
                    e);
        }
    }

    private static ServerProcess launch(Path directory) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms32m",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + emptyScratch(directory),
                "-Djava.util.logging.SimpleFormatter.format=%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n",
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                "--settings",
                settingsFile(directory).toString());
        // glibc gives each thread an arena of its own otherwise, and what DuckDB frees stays there.
        return ServerProcess.start(NAME, directory, command, Map.of("MALLOC_ARENA_MAX", "2"));
    }

    /** The driver unpacks its library (57 MB) at each start and leaves it behind when it is killed. */
    private static Path emptyScratch(Path directory) {
        Path scratch = directory.resolve("tmp");
        try {
            Files.createDirectories(scratch);
            try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(scratch, "libduckdb*")) {
                for (Path leftover : leftovers) {
                    Files.delete(leftover);
                }
            }
            return scratch;
        } catch (IOException e) {
            throw new EnvironmentException("cannot empty " + scratch + ": " + e.getMessage(), e);
        }
    }

    private void awaitAnswer() {
        DuckDbStoreClient.awaitPing(new DuckDbStore.Address(URI.create(url()), id), START_BOUND, process::isAlive)
                .ifPresent(problem -> {
                    throw new EnvironmentException("the store's owner does not answer on " + url() + ": " + problem
                            + "; the end of " + log() + ":\n" + process.logTail(5));
                });
    }

    @Override
    public Options options() {
        return Options.of(Map.of("url", url(), "id", id));
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + port;
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
    public void kill() {
        process.kill();
    }

    @Override
    public synchronized void restart() {
        process.stop(STOP_BOUND);
        if (!Ports.isFree(port)) {
            // Another stack's owner may have taken it meanwhile: it would answer, and blocks would go into its tables.
            throw new EnvironmentException(
                    "port " + port + " of the store's owner was taken by another process while it"
                            + " was down; stop that one, then the owner starts again");
        }
        process = launch(directory);
        awaitAnswer();
    }

    @Override
    public void close() {
        process.stop(STOP_BOUND);
    }
}
