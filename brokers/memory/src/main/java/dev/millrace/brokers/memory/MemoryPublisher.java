package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.FrameWriter;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.Publisher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects payloads in batches and sends them, several under way at once, on a thread of its own. A lost connection is made
 * anew and what has no answer is sent again in the same order under the same numbers, which the server stores once.
 */
final class MemoryPublisher implements Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryPublisher.class);
    private static final long BATCH_BYTES = 256 << 10;
    private static final int UNDER_WAY_MAX = 8;
    private static final int ANSWER_MILLIS = 1_000;
    private static final long CLOSE_BOUND_MILLIS = 9_000;
    private static final long RECONNECT_MILLIS = 100;

    private final MemoryOptions options;
    private final String topic;
    private final String name;
    private final Consumer<MemoryPublisher> onClose;
    private final long session = ThreadLocalRandom.current().nextLong();
    private final Thread thread;
    private volatile int partitions;
    private volatile @Nullable Connection connection;

    // Guarded by this.
    private final ArrayDeque<Batch> full = new ArrayDeque<>();
    private @Nullable Batch current;
    /** Of the last batch: the next one's arrays are made for as much. At a low rate a full one's would be nearly all of the garbage. */
    private long expectedBytes = BATCH_BYTES;

    private long heldBytes;
    private boolean flushing;
    private boolean closed;

    // Only the thread's.
    private final ArrayDeque<Batch> underWay = new ArrayDeque<>();
    private final FrameWriter frame = new FrameWriter();
    private long firstSequence;

    MemoryPublisher(
            MemoryOptions options, String topic, String name, int partitions, Consumer<MemoryPublisher> onClose) {
        this.options = options;
        this.topic = topic;
        this.name = name;
        this.partitions = partitions;
        this.onClose = onClose;
        this.thread = new Thread(this::run, "memory-publisher-" + topic);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
        if (value.length > Wire.PAYLOAD_BYTES_MAX) {
            receipt.refused(
                    "a payload of " + value.length + " bytes is too large; the broker takes " + Wire.PAYLOAD_BYTES_MAX);
            return true;
        }
        int among = partitions;
        int partition = KeyPartitions.of(key, among);
        synchronized (this) {
            long cost = Batch.cost(value);
            if (closed || (heldBytes > 0 && heldBytes + cost > options.bufferBytes())) {
                return false;
            }
            if (current != null && current.partitions() != among) {
                full.add(current);
                current = null;
            }
            if (current == null) {
                current = new Batch(among, expectedBytes);
                notifyAll();
            }
            current.add(partition, value, eventTimeMillis, receipt);
            heldBytes += cost;
            if (current.heldBytes() >= BATCH_BYTES) {
                full.add(current);
                current = null;
                notifyAll();
            }
            return true;
        }
    }

    @Override
    public synchronized boolean flush(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        flushing = true;
        notifyAll();
        try {
            while (heldBytes > 0) {
                long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    return false;
                }
                wait(leftMillis);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            flushing = false;
        }
    }

    @Override
    public int largestPayloadBytes() {
        return Wire.PAYLOAD_BYTES_MAX;
    }

    private void run() {
        while (!isClosed()) {
            try {
                exchange();
            } catch (IOException e) {
                disconnect();
                pause();
            } catch (RuntimeException e) {
                LOG.error("publisher {} of topic {} begins a new connection after a failure", name, topic, e);
                disconnect();
                pause();
            }
        }
        disconnect();
        forget();
    }

    private void exchange() throws IOException {
        Connection open = new Connection(options.address());
        connection = open;
        long sequence = firstSequence;
        for (Batch batch : underWay) {
            send(open, batch, sequence++);
        }
        while (!isClosed()) {
            Batch next = underWay.size() < UNDER_WAY_MAX ? take(underWay.isEmpty()) : null;
            if (next != null) {
                underWay.add(next);
                send(open, next, firstSequence + underWay.size() - 1);
            } else if (!underWay.isEmpty()) {
                ByteBuffer answer = open.answer(ANSWER_MILLIS);
                if (answer != null) {
                    complete(answer);
                }
            }
        }
    }

    private void send(Connection open, Batch batch, long sequence) throws IOException {
        batch.write(frame, topic, name, session, sequence);
        open.send(frame);
    }

    private void complete(ByteBuffer answer) {
        Batch batch = underWay.remove();
        firstSequence++;
        try {
            if (answer.get() == Wire.OK) {
                partitions = answer.getInt();
                batch.stored(answer);
            } else {
                String sentence = FrameReader.text(answer);
                batch.each(receipt -> receipt.refused(sentence));
            }
        } finally {
            release(batch);
        }
    }

    private synchronized void release(Batch batch) {
        heldBytes -= batch.heldBytes();
        notifyAll();
    }

    /** The next batch to send; null when there is none yet. */
    private synchronized @Nullable Batch take(boolean mayWait) {
        long lingerNanos = options.linger().toNanos();
        try {
            while (!closed) {
                if (!full.isEmpty()) {
                    return sealed(full.remove());
                }
                long leftNanos = current == null ? Long.MAX_VALUE : lingerNanos - current.ageNanos();
                if (current != null && (flushing || leftNanos <= 0)) {
                    Batch taken = current;
                    current = null;
                    return sealed(taken);
                }
                if (!mayWait) {
                    return null;
                }
                if (current == null) {
                    wait();
                } else {
                    wait(leftNanos / 1_000_000, (int) (leftNanos % 1_000_000));
                }
            }
        } catch (InterruptedException e) {
            closed = true;
        }
        return null;
    }

    private Batch sealed(Batch batch) {
        // One payload of many MiB is no reason to make such arrays for each partition.
        expectedBytes = Math.min(BATCH_BYTES, batch.heldBytes());
        batch.seal();
        return batch;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void pause() {
        try {
            if (!closed) {
                wait(RECONNECT_MILLIS);
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    private void forget() {
        ArrayDeque<Batch> left = new ArrayDeque<>(underWay);
        synchronized (this) {
            left.addAll(full);
            if (current != null) {
                left.add(current);
            }
            full.clear();
            current = null;
        }
        left.forEach(batch -> {
            batch.each(receipt -> receipt.unknown("the publisher was closed before the broker answered"));
            release(batch);
        });
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        disconnect();
        try {
            thread.join(CLOSE_BOUND_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        onClose.accept(this);
    }
}
