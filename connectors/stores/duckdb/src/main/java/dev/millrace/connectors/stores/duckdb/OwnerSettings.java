package dev.millrace.connectors.stores.duckdb;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the owner process is told.
 *
 * @param file the database; made when it is not there
 * @param host the one address it listens on
 * @param name under which clients reach it beside {@code host}; empty for none
 * @param id which store this is; a client that looks for another one is turned away, empty turns nobody away. Beyond loopback it is
 *     the credential: who does not say it is turned away
 * @param retention in event time: windows that end this long before the greatest window end are dropped
 * @param memoryBytes DuckDB's bound for its own memory, beside the Java heap
 * @param minFreeDiskBytes with less room than this on the file's disk, blocks are refused (and taken again later)
 * @param keys with which it speaks TLS; empty speaks plain HTTP
 */
record OwnerSettings(
        Path file,
        String host,
        String name,
        int port,
        String id,
        Duration retention,
        long memoryBytes,
        long minFreeDiskBytes,
        Optional<Keys> keys) {
    static final String LOOPBACK = "127.0.0.1";
    static final Duration RETENTION = Duration.ofHours(6);
    static final long MIN_FREE_DISK_BYTES = 64L << 20;

    /** PEM files: a certificate and its private key, which is in no settings file. */
    record Keys(Path certificate, Path key) {
        /** From options {@code certificate} and {@code key}: both or neither. */
        static Optional<Keys> bind(Options.Binder binder) {
            String certificate = binder.string("certificate", "");
            String key = binder.string("key", "");
            if (certificate.isEmpty() != key.isEmpty()) {
                binder.problem("'certificate' and 'key' go together: the paths of two PEM files");
            }
            return certificate.isEmpty() || key.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Keys(Path.of(certificate), Path.of(key)));
        }
    }

    static OwnerSettings read(Path file) {
        return Options.read(file).bind("settings file " + file, binder -> {
            OwnerSettings settings = new OwnerSettings(
                    Path.of(binder.required("file", "the path of the database file")),
                    binder.string("host", LOOPBACK),
                    binder.string("name", ""),
                    (int) binder.integer("port", 8123, 1, 65535),
                    binder.string("id", ""),
                    binder.duration("retention", RETENTION),
                    binder.bytes("memory", 512L << 20),
                    binder.bytes("min-free-disk", MIN_FREE_DISK_BYTES),
                    Keys.bind(binder));
            if (!settings.isLoopback() && settings.id().isEmpty()) {
                binder.problem("'id' is empty; beyond 127.0.0.1 it is what clients must know");
            }
            return settings;
        });
    }

    boolean isLoopback() {
        return host.equals(LOOPBACK);
    }

    /** As the file says it. */
    Map<String, String> values() {
        Map<String, String> values = new TreeMap<>(Map.of(
                "file", file.toString(),
                "host", host,
                "name", name,
                "port", Integer.toString(port),
                "id", id,
                "retention", Values.text(retention),
                "memory", Long.toString(memoryBytes),
                "min-free-disk", Long.toString(minFreeDiskBytes)));
        keys.ifPresent(files -> {
            values.put("certificate", files.certificate().toString());
            values.put("key", files.key().toString());
        });
        return values;
    }
}
