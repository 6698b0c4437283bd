package dev.millrace.perf.burst;

import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import java.util.HashMap;
import java.util.Map;

/** The rows of a result topic by the end of their windows: which they are, and when they came. Thread-safe. */
final class RowTally {
    private final long rowsMax;
    private final Map<Long, Rows> byWindowEnd = new HashMap<>();
    private long from = Long.MIN_VALUE;
    private long kept;
    private long bytes;
    private long rows;

    /** Of one window end; times are epoch milliseconds. */
    private static final class Rows {
        private final RowDigests digests = new RowDigests();
        private long firstMillis = Long.MAX_VALUE;
        private long lastMillis;
    }

    /** @param rowsMax of which a digest is kept; one more is an EnvironmentException */
    RowTally(long rowsMax) {
        this.rowsMax = rowsMax;
    }

    synchronized void add(PayloadChunk chunk, long nowMillis) {
        for (int i = 0; i < chunk.count(); i++) {
            int start = chunk.start(i);
            int end = chunk.end(i);
            long windowEnd = RowBinary.windowEnd(chunk.bytes(), start, end);
            rows++;
            bytes += end - start;
            if (windowEnd >= from) {
                if (++kept > rowsMax) {
                    throw new EnvironmentException("more than " + rowsMax
                            + " rows came in one run; take fewer devices or a shorter measured phase");
                }
                Rows of = byWindowEnd.computeIfAbsent(windowEnd, one -> new Rows());
                of.digests.add(chunk.bytes(), start, end);
                of.firstMillis = Math.min(of.firstMillis, nowMillis);
                of.lastMillis = Math.max(of.lastMillis, nowMillis);
            }
        }
    }

    /** Forgets windows that end before {@code windowEnd}, epoch milliseconds, and takes no note of any that still come. */
    synchronized void from(long windowEnd) {
        from = windowEnd;
        byWindowEnd.keySet().removeIf(end -> end < windowEnd);
        kept = byWindowEnd.values().stream().mapToLong(of -> of.digests.count()).sum();
    }

    /** How many came, of all windows. */
    synchronized long count() {
        return rows;
    }

    /** How many came of the windows that end then. */
    synchronized long count(long windowEnd) {
        Rows of = byWindowEnd.get(windowEnd);
        return of == null ? 0 : of.digests.count();
    }

    /** Mean bytes of a row so far; 0 when there was none. */
    synchronized int rowBytes() {
        return rows == 0 ? 0 : (int) (bytes / rows);
    }

    /** The rows of the windows that end then, held against those that the store has. */
    synchronized ResultRows.Burst burst(long windowEnd, RowDigests stored) {
        Rows of = byWindowEnd.getOrDefault(windowEnd, new Rows());
        RowDigests.Difference difference = of.digests.against(stored);
        return new ResultRows.Burst(
                windowEnd,
                stored.count(),
                of.firstMillis,
                of.lastMillis,
                difference.missing(),
                difference.surplus(),
                difference.repeated());
    }
}
