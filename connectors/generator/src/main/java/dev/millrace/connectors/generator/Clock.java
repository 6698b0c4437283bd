package dev.millrace.connectors.generator;

import java.time.Instant;

/** The time of day, epoch microseconds; thread-safe. */
@FunctionalInterface
interface Clock {
    long micros();

    /** The machine's. */
    static long system() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
