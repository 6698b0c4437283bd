package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerFiles;
import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ServedStore;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Options;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The embedded store, the default: a DuckDB file behind its owner process. */
public final class DuckDbStore implements ResultStore {
    /** The Java heap and what DuckDB does not count; the rest of {@code memory} is DuckDB's. */
    private static final long BESIDE_DUCKDB_BYTES = 384L << 20;

    private static final Duration CONNECT_BOUND = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "duckdb";
    }

    @Override
    public boolean isEmbedded() {
        return true;
    }

    @Override
    public void check(Options options) {
        LocalSettings.bind(options);
    }

    /**
     * Where an owner is, and which one it must be; an empty id takes any.
     *
     * @param authority a PEM file: who has signed the owner's certificate
     */
    record Address(URI url, String id, Optional<Path> authority) {}

    /** Takes {@code url} ({@code http://HOST:PORT}, with {@code ca} also {@code https}) and {@code id}: an owner of another store on that
     * port is no answer.
     */
    @Override
    public StoreClient connect(Options options) {
        Address address = options.bind("store 'duckdb'", binder -> {
            String id = binder.string("id", "");
            Optional<Path> authority = Optional.of(binder.string("ca", ""))
                    .filter(file -> !file.isEmpty())
                    .map(Path::of);
            String scheme = authority.isPresent() ? "https" : "http";
            String text = binder.required("url", scheme + "://HOST:PORT of the store's owner");
            try {
                URI uri = URI.create(text);
                if (!scheme.equals(uri.getScheme()) || uri.getHost() == null || uri.getPort() < 1) {
                    throw new IllegalArgumentException("not of that form");
                }
                return new Address(uri, id, authority);
            } catch (IllegalArgumentException e) {
                binder.problem("'url' is '" + text + "'; it must be of the form " + scheme + "://HOST:PORT"
                        + (authority.isPresent()
                                ? ""
                                : " (https with 'ca', a file with who has signed its certificate)"));
                return new Address(URI.create("http://127.0.0.1:1"), id, authority);
            }
        });
        return DuckDbStoreClient.connect(address, CONNECT_BOUND);
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

        OwnerSettings owner(Path file, Listening listening, String id, Optional<OwnerSettings.Keys> keys) {
            return new OwnerSettings(
                    file,
                    listening.host(),
                    listening.name(),
                    listening.port(),
                    id,
                    retention,
                    memoryBytes - BESIDE_DUCKDB_BYTES,
                    minFreeDiskBytes,
                    keys);
        }
    }

    /** Where an owner listens, and under which name it is reached besides. */
    record Listening(String host, String name, int port) {}

    @Override
    public LocalStore startLocal(Path workDirectory, Options options) {
        return LocalDuckDb.start(workDirectory, LocalSettings.bind(options));
    }

    @Override
    public List<String> command(Path workDirectory, Options options) {
        Map<String, String> ours = new TreeMap<>(options.asMap());
        ours.keySet().removeAll(List.of("host", "name", "id", "certificate", "key"));
        LocalSettings settings = LocalSettings.bind(Options.of(ours));
        Map<String, String> keys = new TreeMap<>(options.asMap());
        keys.keySet().retainAll(List.of("certificate", "key"));
        Listening listening = new Listening(
                options.get("host").orElse(OwnerSettings.LOOPBACK),
                options.get("name").orElse(""),
                settings.port() == 0 ? LocalDuckDb.WELL_KNOWN_PORT : settings.port());
        return LocalDuckDb.command(
                workDirectory,
                settings.owner(
                        LocalDuckDb.file(workDirectory),
                        listening,
                        options.get("id").orElse(""),
                        Options.of(keys).bind("store 'duckdb'", OwnerSettings.Keys::bind)));
    }

    @Override
    public ServedStore serve(Path workDirectory, Options options) {
        LocalSettings settings = LocalSettings.bind(options);
        int port = settings.port() == 0
                ? Ports.firstFree(LocalDuckDb.WELL_KNOWN_PORT)
                : Ports.named(settings.port(), "port");
        return new Owner(settings.owner(
                LocalDuckDb.file(workDirectory),
                new Listening(OwnerSettings.LOOPBACK, "", port),
                UUID.randomUUID().toString(),
                Optional.empty()));
    }

    @Override
    public List<String> javaCommand(Path workDirectory) {
        ServerFiles.emptyScratch(workDirectory);
        List<String> command = new ArrayList<>(List.of("env"));
        LocalDuckDb.ENVIRONMENT.forEach((key, value) -> command.add(key + "=" + value));
        command.addAll(LocalDuckDb.javaCommand(workDirectory, workDirectory.resolve("store.log")));
        return command;
    }
}
