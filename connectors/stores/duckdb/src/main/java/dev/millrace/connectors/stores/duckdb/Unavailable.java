package dev.millrace.connectors.stores.duckdb;

import org.jspecify.annotations.Nullable;

/** It does not work now and may work later: the disk is full, a lock is held. Becomes a 503. */
final class Unavailable extends RuntimeException {
    Unavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
