package dev.millrace.connectors.api.reader;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many records stand behind what each split has fetched; the reader's gauge {@code pendingRecords}. Thread-safe. */
public final class PendingRecords {
    private final Map<String, Long> ofSplits = new ConcurrentHashMap<>();

    public void set(String splitId, long records) {
        ofSplits.put(splitId, Math.max(0, records));
    }

    public void forget(String splitId) {
        ofSplits.remove(splitId);
    }

    /** Over all splits. */
    public long total() {
        return ofSplits.values().stream().mapToLong(Long::longValue).sum();
    }
}
