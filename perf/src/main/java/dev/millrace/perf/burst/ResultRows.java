package dev.millrace.perf.burst;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stack's result topic as it grows, as whoever uses the rows would, on a thread of its own: when the rows of each window
 * came, and which they are. Times are this process's clock. Thread-safe.
 */
public final class ResultRows implements AutoCloseable {
    /** A digest of each is kept: 400 MB. */
    static final long ROWS_MAX = 50_000_000;

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long STOP_MILLIS = 15_000;
    private static final int ROW_BYTES = 512;
    private static final long LOOK_NANOS = 50_000_000;

    private final Supplier<BrokerClient> connect;
    private final String topic;
    private final RowTally tally = new RowTally(ROWS_MAX);
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable String failure;

    /**
     * The rows of all windows with one end.
     *
     * @param firstMillis when the first of them was read, epoch milliseconds
     * @param lastMillis when the last of them was
     * @param missing of the store's rows, those that are not in the topic
     * @param surplus rows of the topic that are not in the store
     * @param repeated rows that are in the topic again, which is allowed
     */
    public record Burst(
            long windowEnd, long rows, long firstMillis, long lastMillis, long missing, long surplus, long repeated) {}

    /** Begins to read, from the topic's oldest row. */
    public ResultRows(Supplier<BrokerClient> connect, String topic) {
        this.connect = connect;
        this.topic = topic;
        thread = new Thread(this::read, "benchmark-results");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (BrokerClient client = connect.get();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            while (!closed) {
                List<PayloadChunk> chunks = subscriber.poll(POLL);
                long now = System.currentTimeMillis();
                chunks.forEach(chunk -> tally.add(chunk, now));
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void fail(RuntimeException e) {
        failure = "the result topic '" + topic + "' could not be read: " + e.getMessage();
    }

    /** Forgets windows that end before {@code windowEnd}, epoch milliseconds, and takes no note of any that still come. */
    public void from(long windowEnd) {
        tally.from(windowEnd);
    }

    /** How many were read, of all windows. */
    public long count() {
        return tally.count();
    }

    /** Mean bytes of a row so far; 0 when there was none. */
    public int rowBytes() {
        return tally.rowBytes();
    }

    /**
     * The rows of the windows that end at {@code windowEnd}, held against the store's, which must have them all; waits until as many
     * are there. Empty when the store has none. Throws EnvironmentException when the topic could not be read.
     *
     * @param pause waits so many nanoseconds; what it throws ends the wait
     */
    public Optional<Burst> burst(long windowEnd, StoreClient store, Duration bound, LongConsumer pause) {
        RowDigests stored = new RowDigests();
        RowBinary.Encoder encoder = new RowBinary.Encoder(ROW_BYTES);
        store.windows(windowEnd - 1, windowEnd, row -> {
            encoder.add(row);
            byte[] bytesOfRow = encoder.take();
            stored.add(bytesOfRow, 0, bytesOfRow.length);
        });
        if (stored.count() == 0) {
            return Optional.empty();
        }
        long deadline = System.nanoTime() + bound.toNanos();
        while (count(windowEnd) < stored.count() && System.nanoTime() < deadline) {
            pause.accept(LOOK_NANOS);
        }
        return Optional.of(tally.burst(windowEnd, stored));
    }

    private long count(long windowEnd) {
        String why = failure;
        if (why != null) {
            throw new EnvironmentException(why);
        }
        return tally.count(windowEnd);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
