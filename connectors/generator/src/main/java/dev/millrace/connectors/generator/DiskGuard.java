package dev.millrace.connectors.generator;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** Says when the disk is too full to go on, with a little more needed to begin again. Used by one thread. */
final class DiskGuard {
    private static final long HYSTERESIS_BYTES = 64L << 20;

    private final LongSupplier freeBytes;
    private final Path disk;
    private final long minFreeBytes;
    private boolean low;
    private String message = "";

    DiskGuard(Path disk, long minFreeBytes, LongSupplier freeBytes) {
        this.disk = disk;
        this.minFreeBytes = minFreeBytes;
        this.freeBytes = freeBytes;
    }

    static LongSupplier freeBytesOf(Path disk) {
        return () -> {
            try {
                return Files.getFileStore(disk).getUsableSpace();
            } catch (IOException e) {
                throw new EnvironmentException("the free space of " + disk + " cannot be told: " + e, e);
            }
        };
    }

    /** Whether to pause now. */
    boolean isLow() {
        if (minFreeBytes == 0) {
            return false;
        }
        long free = freeBytes.getAsLong();
        low = free < minFreeBytes + (low ? HYSTERESIS_BYTES : 0);
        if (low) {
            message = Values.text(free) + " are free on the disk of " + disk + ", at least " + Values.text(minFreeBytes)
                    + " are kept; goes on by itself when there is room";
        }
        return low;
    }

    /** Why, in a sentence, when it is low. */
    String message() {
        return message;
    }
}
