package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Options;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The embedded store, the default: a DuckDB file behind its owner process. */
public final class DuckDbStore implements ResultStore {
    static final int WELL_KNOWN_PORT = 8123;
    /** The Java heap and what DuckDB does not count; the rest of {@code memory} is DuckDB's. */
    private static final long BESIDE_DUCKDB_BYTES = 384L << 20;

    private static final Duration CONNECT_BOUND = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "duckdb";
    }

    /** Takes {@code url} ({@code http://HOST:PORT}). */
    @Override
    public StoreClient connect(Options options) {
        URI url = options.bind("store 'duckdb'", binder -> {
            String text = binder.required("url", "http://HOST:PORT of the store's owner");
            try {
                URI uri = URI.create(text);
                if (!"http".equals(uri.getScheme()) || uri.getHost() == null || uri.getPort() < 1) {
                    throw new IllegalArgumentException("not of that form");
                }
                return uri;
            } catch (IllegalArgumentException e) {
                binder.problem("'url' is '" + text + "'; it must be of the form http://HOST:PORT");
                return URI.create("http://127.0.0.1:1");
            }
        });
        return DuckDbStoreClient.connect(url, CONNECT_BOUND);
    }

    /** What {@link #startLocal} takes; {@code memory} bounds the whole process. */
    record LocalSettings(int port, Duration retention, long memoryBytes, long minFreeDiskBytes) {
        static LocalSettings bind(Options options) {
            return options.bind("store 'duckdb'", binder -> {
                long memory = binder.bytes("memory", 1L << 30);
                if (memory < BESIDE_DUCKDB_BYTES + (128L << 20)) {
                    binder.problem("'memory' is " + memory + "; it must be at least 512MiB");
                }
                return new LocalSettings(
                        (int) binder.integer("port", 0, 1, 65535),
                        binder.duration("retention", OwnerSettings.RETENTION),
                        memory,
                        binder.bytes("min-free-disk", OwnerSettings.MIN_FREE_DISK_BYTES));
            });
        }

        OwnerSettings owner(Path file, int chosenPort) {
            return new OwnerSettings(file, chosenPort, retention, memoryBytes - BESIDE_DUCKDB_BYTES, minFreeDiskBytes);
        }
    }

    @Override
    public LocalStore startLocal(Path workDirectory, Options options) {
        LocalSettings settings = LocalSettings.bind(options);
        Path directory = workDirectory.toAbsolutePath();
        Optional<LocalStore> running = LocalDuckDb.running(directory);
        if (running.isPresent()) {
            return running.get();
        }
        int port = settings.port() == 0
                ? LocalDuckDb.portBefore(directory)
                        .filter(Ports::isFree)
                        .orElseGet(() -> Ports.firstFree(WELL_KNOWN_PORT))
                : Ports.named(settings.port(), "store's port");
        return LocalDuckDb.start(directory, settings.owner(directory.resolve("windows.duckdb"), port));
    }
}
