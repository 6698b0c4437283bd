package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.local.CollectorLog;
import dev.millrace.connectors.api.local.LocalServer;
import dev.millrace.connectors.api.local.ServerFiles;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/** The owner process on this machine; what it is told is in {@code store.properties}. */
final class LocalDuckDb extends LocalServer implements LocalStore {
    static final int WELL_KNOWN_PORT = 8123;
    /** glibc gives each thread an arena of its own otherwise, and what DuckDB frees stays there. */
    static final Map<String, String> ENVIRONMENT = Map.of("MALLOC_ARENA_MAX", "2");

    private final DuckDbStore.LocalSettings settings;
    private final String id;

    private LocalDuckDb(Path directory, DuckDbStore.LocalSettings settings) {
        super("store's owner", "store", directory);
        this.settings = settings;
        this.id = idInFile().orElseGet(() -> UUID.randomUUID().toString());
    }

    static LocalDuckDb start(Path directory, DuckDbStore.LocalSettings settings) {
        LocalDuckDb local = new LocalDuckDb(directory, settings);
        local.start(settings.port(), WELL_KNOWN_PORT);
        return local;
    }

    private static Path settingsFile(Path directory) {
        return directory.resolve("store.properties");
    }

    static Path file(Path directory) {
        return directory.resolve("windows.duckdb");
    }

    /** The store's identity, for good: made with its directory. */
    private Optional<String> idInFile() {
        Path file = settingsFile(directory());
        return Files.exists(file) ? Optional.of(OwnerSettings.read(file).id()) : Optional.empty();
    }

    @Override
    protected void prepare() {
        write(directory(), owner());
    }

    private OwnerSettings owner() {
        return settings.owner(
                file(directory()), new DuckDbStore.Listening(OwnerSettings.LOOPBACK, "", port()), id, Optional.empty());
    }

    private static void write(Path directory, OwnerSettings owner) {
        Properties properties = new Properties();
        properties.putAll(owner.values());
        Path file = settingsFile(directory);
        // In one piece: the store's id is nowhere else.
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (Writer writer = Files.newBufferedWriter(draft)) {
                properties.store(writer, "written when the store's owner is started");
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    protected List<String> command() {
        return command(directory(), log());
    }

    /** The command line of an owner that somebody else starts; what it reads is written here. */
    static List<String> command(Path directory, OwnerSettings owner) {
        write(directory, owner);
        // The driver's library is 57 MB.
        ServerFiles.emptyScratch(directory);
        return command(directory, directory.resolve("store.log"));
    }

    private static List<String> command(Path directory, Path log) {
        List<String> command = javaCommand(directory, log);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                "--settings",
                settingsFile(directory).toString()));
        return command;
    }

    /** The process without its program. */
    static List<String> javaCommand(Path directory, Path log) {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-Xms32m",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + ServerFiles.scratch(directory),
                "-Djava.util.logging.SimpleFormatter.format=%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n"));
        command.addAll(CollectorLog.options(log));
        return command;
    }

    @Override
    protected Map<String, String> environment() {
        return ENVIRONMENT;
    }

    @Override
    protected Optional<String> problem() {
        return DuckDbStoreClient.problem(new DuckDbStore.Address(URI.create(url()), id, Optional.empty()));
    }

    @Override
    public Options options() {
        return Options.of(Map.of("url", url(), "id", id));
    }

    @Override
    public String url() {
        return "http://" + address();
    }
}
