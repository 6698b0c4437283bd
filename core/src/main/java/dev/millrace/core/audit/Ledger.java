package dev.millrace.core.audit;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.Position;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a generator knows that it sent: how readings are made, when they were meant to be sent, and which of them the
 * broker has acknowledged.
 *
 * @param schedule this ledger's own; not to be changed
 * @param state what the generator was doing when this was written
 * @param writtenMillis when, epoch milliseconds; a running generator writes several times a second
 * @param offeredTo the index behind the last reading that may have been handed to the broker's client
 * @param readBackFrom for each partition a position from which on every record is to be read back after a crash
 */
public record Ledger(
        GeneratorSettings settings,
        Schedule schedule,
        State state,
        long writtenMillis,
        long offeredTo,
        IndexRanges acknowledged,
        Map<Integer, Position> readBackFrom) {

    /** What the generator was doing. */
    public enum State {
        /** Sending, or waiting for the next reading to be due. */
        RUNNING,
        /** A person paused it. */
        PAUSED,
        /** It ended in order. */
        STOPPED
    }

    public Ledger {
        readBackFrom = Map.copyOf(readBackFrom);
    }

    /** Reads the ledger below the generator's directory, also while the generator is writing it. */
    public static Ledger read(Path directory) {
        return LedgerFile.read(directory);
    }

    /** Readings whose fate is unknown: handed to the client, not acknowledged. */
    public IndexRanges open() {
        return acknowledged.missingBelow(Math.max(offeredTo, acknowledged.end()));
    }
}
