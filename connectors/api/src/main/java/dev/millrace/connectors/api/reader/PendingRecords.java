package dev.millrace.connectors.api.reader;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many records stand behind what each split has fetched; the reader's gauges {@code pendingRecords} and {@code splitsCounted}.
 * They are to be true also while the reader waits for the job: see {@link OffsetLag}. Thread-safe.
 */
public final class PendingRecords {
    private final Map<String, Long> ofSplits = new ConcurrentHashMap<>();

    /** @param records 0 of a split that is finished */
    public void set(String splitId, long records) {
        ofSplits.put(splitId, Math.max(0, records));
    }

    /** How many splits have told: while there are fewer than are assigned nobody knows {@link #total()}. */
    public int splits() {
        return ofSplits.size();
    }

    /** Over all splits that have told. */
    public long total() {
        return ofSplits.values().stream().mapToLong(Long::longValue).sum();
    }
}
