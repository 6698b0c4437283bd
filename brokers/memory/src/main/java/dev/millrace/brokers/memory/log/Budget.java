package dev.millrace.brokers.memory.log;

import java.util.concurrent.atomic.AtomicLong;

/** How much all topics together may keep. Thread-safe. */
final class Budget {
    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();

    Budget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    long maxBytes() {
        return maxBytes;
    }

    void add(long bytes) {
        usedBytes.addAndGet(bytes);
    }

    /** Refuses what does not fit: what was promised to stay is not dropped for it. */
    void check() {
        if (usedBytes.get() > maxBytes) {
            throw new WrongRequestException(
                    Wire.WRONG,
                    "the server is full: it keeps " + usedBytes.get() + " of " + maxBytes
                            + " bytes; give it more with the option 'memory' or let topics keep less");
        }
    }
}
