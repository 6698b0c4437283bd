package dev.millrace.connectors.api.reader;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * When a quiet split's end is to be confirmed with an empty chunk: at once when the end is reached, then every second. Ask only
 * when the broker has just answered that nothing follows; a broker that says nothing confirms nothing. Not thread-safe.
 */
public final class EndConfirmations {
    private static final long EVERY_NANOS = 1_000_000_000L;

    private final Map<String, Long> lastNanos = new HashMap<>();
    private final LongSupplier nanos;

    public EndConfirmations() {
        this(System::nanoTime);
    }

    /** @param nanos as {@link System#nanoTime} */
    public EndConfirmations(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Whether the confirmation is due now; then the next is due a second later. */
    public boolean due(String splitId) {
        long now = nanos.getAsLong();
        Long last = lastNanos.get(splitId);
        if (last != null && now - last < EVERY_NANOS) {
            return false;
        }
        lastNanos.put(splitId, now);
        return true;
    }

    /** A chunk with records was emitted that says {@code atEnd} itself. */
    public void confirmed(String splitId) {
        lastNanos.put(splitId, nanos.getAsLong());
    }

    public void forget(String splitId) {
        lastNanos.remove(splitId);
    }
}
