package dev.millrace.connectors.api.reader;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@link PendingRecords} where a broker counts a partition's records by offsets. The fetch thread tells them with each answer. Of a split of
 * which it has told nothing for two seconds, because it waits for the job or the split is paused, the end is asked for every two seconds:
 * what is pending grows all the same, and that is when somebody looks at it. Thread-safe.
 */
public final class OffsetLag implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final PendingRecords pending;
    private final Ends ends;
    private final LongSupplier nanos;
    private final @Nullable Ticker ticker;
    private final Map<String, Told> ofSplits = new ConcurrentHashMap<>();

    /**
     * @param next the offset behind the last record that was fetched
     * @param end the greatest that is known; {@link #UNKNOWN} before anybody has said it
     * @param stop before which the split stops
     * @param nanos when the fetch thread last said an end that was not known to be old
     */
    private record Told(long next, long end, long stop, long nanos) {
        private long pending() {
            return Math.min(stop, end) - next;
        }
    }

    /** @param subtask names the thread, which is there from the first record on */
    public OffsetLag(PendingRecords pending, Ends ends, int subtask) {
        this.pending = pending;
        this.ends = ends;
        this.nanos = System::nanoTime;
        this.ticker = new Ticker("millrace-lag-" + subtask, SILENCE, this::askForSilent);
    }

    /**
     * One that asks when it is told to.
     *
     * @param nanos as {@link System#nanoTime}
     */
    OffsetLag(PendingRecords pending, Ends ends, LongSupplier nanos) {
        this.pending = pending;
        this.ends = ends;
        this.nanos = nanos;
        this.ticker = null;
    }

    /** One that asks nobody, for readers whose lag nobody looks at. */
    public static OffsetLag unseen() {
        return new OffsetLag(new PendingRecords(), splitIds -> Map.of(), System::nanoTime);
    }

    /**
     * A split is to be read from there on. It may have to wait long for its first answer, as any may for a later one.
     *
     * @param stop as {@link #tell} has it
     */
    public void begin(String splitId, long next, long stop) {
        ofSplits.put(splitId, new Told(next, UNKNOWN, stop, nanos.getAsLong()));
        start();
    }

    /**
     * The fetch thread has an answer of the broker. It may have waited in the client's buffers: then an end that was asked for meanwhile is
     * farther, and stays.
     *
     * @param next the offset behind the last record that was fetched
     * @param end the offset behind the partition's last record
     * @param stop before which the split stops; {@link Long#MAX_VALUE} if it does not
     */
    public void tell(String splitId, long next, long end, long stop) {
        ofSplits.compute(splitId, (id, before) -> {
            boolean isOld = before != null && end < before.end;
            Told now = isOld
                    ? new Told(next, before.end, stop, before.nanos)
                    : new Told(next, end, stop, nanos.getAsLong());
            pending.set(id, now.pending());
            return now;
        });
        start();
    }

    private void start() {
        if (ticker != null) {
            ticker.start();
        }
    }

    /** Of a split that is read to its stop nothing is pending. */
    public void finished(String splitId) {
        ofSplits.remove(splitId);
        pending.set(splitId, 0);
    }

    void askForSilent() {
        Set<String> silent = ofSplits.entrySet().stream()
                .filter(split -> isSilent(split.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (silent.isEmpty()) {
            return;
        }
        ends.of(silent)
                .forEach((splitId, end) -> ofSplits.computeIfPresent(splitId, (id, told) -> {
                    if (!isSilent(told)) {
                        return told;
                    }
                    Told asked = new Told(told.next, end, told.stop, told.nanos);
                    pending.set(id, asked.pending());
                    return asked;
                }));
    }

    private boolean isSilent(Told told) {
        return nanos.getAsLong() - told.nanos >= SILENCE.toNanos();
    }

    /** Waits for nothing. */
    @Override
    public void close() {
        if (ticker != null) {
            ticker.close();
        }
        ends.close();
    }

    /** Asks the broker. Used by one thread, but for {@link #close}, which ends a question that is under way. */
    public interface Ends extends AutoCloseable {
        /** The offset behind the last record of each of these, as far as the broker says it within a few seconds. */
        Map<String, Long> of(Set<String> splitIds);

        @Override
        default void close() {}
    }
}
