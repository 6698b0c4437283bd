package dev.millrace.connectors.stores.duckdb;

import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What the owner process is told.
 *
 * @param file the database; made when it is not there
 * @param port on 127.0.0.1
 * @param id which store this is; a client that looks for another one is turned away, empty turns nobody away
 * @param retention in event time: windows that end this long before the greatest window end are dropped
 * @param memoryBytes DuckDB's bound for its own memory, beside the Java heap
 * @param minFreeDiskBytes with less room than this on the file's disk, blocks are refused (and taken again later)
 */
record OwnerSettings(Path file, int port, String id, Duration retention, long memoryBytes, long minFreeDiskBytes) {
    static final Duration RETENTION = Duration.ofHours(6);
    static final long MIN_FREE_DISK_BYTES = 64L << 20;

    static OwnerSettings read(Path file) {
        return Options.read(file)
                .bind(
                        "settings file " + file,
                        binder -> new OwnerSettings(
                                Path.of(binder.required("file", "the path of the database file")),
                                (int) binder.integer("port", 8123, 1, 65535),
                                binder.string("id", ""),
                                binder.duration("retention", RETENTION),
                                binder.bytes("memory", 512L << 20),
                                binder.bytes("min-free-disk", MIN_FREE_DISK_BYTES)));
    }
}
