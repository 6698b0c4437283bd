package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * When a quiet split's end is to be confirmed with an empty chunk: at once when the end is reached, then every second. Confirm only
 * what the broker has just answered; a broker that says nothing confirms nothing. Between two confirmations this keeps apart what the
 * broker did not answer from what it was not asked, because the reader had to wait for the job or the split was paused: see
 * {@link PayloadChunk#isUnbroken()}. Not thread-safe.
 */
public final class EndConfirmations {
    private static final long EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    /** A broker that is busy may take so long for an answer. */
    private static final long ANSWER_NANOS = Duration.ofSeconds(3).toNanos();

    private final Map<String, Split> splits = new HashMap<>();
    private final LongSupplier nanos;

    private static final class Split {
        private boolean wasDue;
        private long dueNanos;
        private boolean isWaiting;
        private long waitingSinceNanos;
        private boolean broken = true;
    }

    public EndConfirmations() {
        this(System::nanoTime);
    }

    /** @param nanos as {@link System#nanoTime} */
    public EndConfirmations(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private Split split(String splitId) {
        return splits.computeIfAbsent(splitId, id -> new Split());
    }

    /** Whether the confirmation is due now; then the next is due a second later. */
    public boolean due(String splitId) {
        long now = nanos.getAsLong();
        Split split = split(splitId);
        if (split.wasDue && now - split.dueNanos < EVERY_NANOS) {
            return false;
        }
        split.wasDue = true;
        split.dueNanos = now;
        split.isWaiting = false;
        return true;
    }

    /** The chunk for the broker's answer, to what was asked when it was {@link #due}, that nothing follows in {@code partition}. */
    public PayloadChunk confirmed(String splitId, int partition) {
        Split split = split(splitId);
        PayloadChunk chunk = PayloadChunk.confirmedEnd(partition, split.dueNanos, !split.broken);
        split.broken = false;
        split.isWaiting = false;
        return chunk;
    }

    /** A chunk with records was emitted that says {@code atEnd} itself. */
    public void confirmed(String splitId) {
        Split split = split(splitId);
        split.wasDue = true;
        split.dueNanos = nanos.getAsLong();
        split.isWaiting = false;
        split.broken = false;
    }

    /** The broker was asked, and said anything but that nothing follows; or it is known that there is none to ask. */
    public void denied(String splitId) {
        Split split = split(splitId);
        split.broken = true;
        split.isWaiting = false;
    }

    /** The broker was asked and has not answered yet; to be called each time that this is seen. */
    public void unanswered(String splitId) {
        long now = nanos.getAsLong();
        Split split = split(splitId);
        if (!split.isWaiting) {
            split.isWaiting = true;
            split.waitingSinceNanos = now;
        } else if (now - split.waitingSinceNanos > ANSWER_NANOS) {
            split.broken = true;
        }
    }

    /** The broker has answered something, which need be no confirmation. */
    public void answered(String splitId) {
        split(splitId).isWaiting = false;
    }

    public void forget(String splitId) {
        splits.remove(splitId);
    }
}
