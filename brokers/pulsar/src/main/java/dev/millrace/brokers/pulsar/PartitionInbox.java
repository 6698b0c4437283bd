package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.MessagePayload;
import org.apache.pulsar.client.api.MessagePayloadContext;
import org.apache.pulsar.client.api.MessagePayloadProcessor;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.MessageImpl;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What one partition's consumer has received and the reader has not taken yet. The client hands whole entries to it, on its own
 * thread, checked and decompressed; they are copied into chunks here and never become messages of the client. Thread-safe.
 */
final class PartitionInbox implements MessagePayloadProcessor {
    /** A chunk that holds this much takes no further entry. */
    private static final int CHUNK_BYTES = 256 << 10;

    private final PartitionSplit split;
    private final Runnable arrived;
    private final FlowWindow window;
    private final BatchParser parser = new BatchParser();
    private final Queue<Item> full = new ArrayDeque<>();
    private final ChunkBuilder filling;
    private int fillingPermits;
    /** The last entry that was taken in; -1 before the first one of a split that begins at the oldest. */
    private long lastLedger = -1;

    private long lastEntry = -1;
    /** The broker's index of the last message that was taken in, if it counts them. */
    private long lastIndex;

    private long arrivals;
    private boolean stopReached;
    private @Nullable RuntimeException failure;

    /** One of the two is there. */
    record Item(@Nullable PayloadChunk chunk, int permits, @Nullable Gap gap) {}

    /**
     * @param pool where the chunks' arrays come from
     * @param arrived is called on the client's thread when there is something to take
     */
    PartitionInbox(PartitionSplit split, int mostMessages, ChunkPool pool, Runnable arrived) {
        this.split = split;
        this.arrived = arrived;
        this.window = new FlowWindow(mostMessages);
        this.filling = new ChunkBuilder(split.partition(), CHUNK_BYTES, pool);
        this.lastIndex = split.indexBefore();
        Position start = split.start();
        if (start != null) {
            lastLedger = PulsarPositions.ledger(start);
            lastEntry = PulsarPositions.entry(start) - 1;
        }
    }

    @Override
    public <T> void process(
            MessagePayload payload, MessagePayloadContext context, Schema<T> schema, Consumer<Message<T>> ignored) {
        try {
            MessageImpl<T> message = (MessageImpl<T>) context.<T>asSingleMessage(payload, schema);
            try {
                take(message, context.isBatch());
            } finally {
                message.release();
            }
        } catch (RuntimeException e) {
            // Thrown on, the client would log it, acknowledge the entry and go on.
            fail(e);
        } catch (Error e) {
            fail(new IllegalStateException(
                    "an entry of partition " + split.partition() + " was not taken in: " + e, e));
        }
        arrived.run();
    }

    /** Ends the job once all that came before is taken. */
    synchronized void fail(RuntimeException e) {
        if (failure == null) {
            failure = e;
        }
    }

    private synchronized void take(MessageImpl<?> message, boolean batch) {
        MessageMetadata metadata = message.getMessageBuilder();
        ByteBuf payload = message.getDataBuffer();
        MessageIdAdv id = (MessageIdAdv) message.getMessageId();
        long ledger = id.getLedgerId();
        long entry = id.getEntryId();
        int count = batch ? metadata.getNumMessagesInBatch() : 1;
        window.received(count, payload.readableBytes());
        arrivals++;
        if (!isBehind(ledger, entry) || stopReached || failure != null) {
            // After a reconnect the broker begins behind the last acknowledgement.
            window.released(count);
            return;
        }
        long index = message.getIndex().orElse(PayloadChunk.NOT_COUNTED);
        if (!follows(ledger, entry, index, count)) {
            close();
            boolean isProven = lastIndex != PayloadChunk.NOT_COUNTED;
            full.add(new Item(null, 0, new Gap(lastLedger, lastEntry, ledger, entry, isProven)));
        }
        int to = beforeStop(ledger, entry, count);
        if (to == 0) {
            stopReached = true;
            window.released(count);
            return;
        }
        refuseWhatIsNotRead(metadata, ledger, entry);
        add(payload, batch, metadata, message, ledger, entry, to);
        fillingPermits += count;
        lastLedger = ledger;
        lastEntry = entry;
        lastIndex = index == PayloadChunk.NOT_COUNTED ? index : index - (count - to);
        stopReached = to < count || endsAt(ledger, entry, count);
    }

    /** Whether nothing can have been between the last entry and this one. */
    private boolean follows(long ledger, long entry, long index, int count) {
        return lastLedger < 0
                || ledger == lastLedger && entry == lastEntry + 1
                || lastIndex != PayloadChunk.NOT_COUNTED && index - count == lastIndex;
    }

    /** Whether the split's stop is just behind the entry. */
    private boolean endsAt(long ledger, long entry, int count) {
        Position stop = split.stop();
        return stop != null
                && ledger == PulsarPositions.ledger(stop)
                && (stop.minor() == PulsarPositions.minor(entry, count)
                        || stop.minor() == PulsarPositions.minor(entry + 1, 0));
    }

    private void add(
            ByteBuf payload,
            boolean batch,
            MessageMetadata metadata,
            MessageImpl<?> message,
            long ledger,
            long entry,
            int to) {
        int length = payload.readableBytes();
        if (!filling.takes(ledger) || filling.size() + length > CHUNK_BYTES) {
            close();
        }
        long timestamp = message.getBrokerPublishTime().orElse(metadata.getPublishTime());
        int from = firstWanted(ledger, entry);
        if (batch) {
            int at = payload instanceof NativeLz4.Entry own && length >= CHUNK_BYTES / 2 && filling.count() == 0
                    ? filling.adopt(own.takeArrays(), own.readerIndex(), length)
                    : filling.copy(payload.nioBuffer());
            parser.parse(at, from, to, filling, timestamp, ledger, entry);
        } else if (from == 0) {
            filling.add(
                    metadata.isNullValue() ? null : payload.nioBuffer(),
                    timestamp,
                    ledger,
                    PulsarPositions.minor(entry, 0));
        }
    }

    /** The index of the first message of the entry that the split wants. */
    private int firstWanted(long ledger, long entry) {
        Position start = split.start();
        boolean first =
                start != null && PulsarPositions.ledger(start) == ledger && PulsarPositions.entry(start) == entry;
        return first ? PulsarPositions.index(start) : 0;
    }

    /** How many messages of the entry stand before the split's stop. */
    private int beforeStop(long ledger, long entry, int count) {
        Position stop = split.stop();
        if (stop == null || ledger < PulsarPositions.ledger(stop)) {
            return count;
        }
        long stopEntry = PulsarPositions.entry(stop);
        if (ledger > PulsarPositions.ledger(stop) || entry > stopEntry) {
            return 0;
        }
        return entry < stopEntry ? count : Math.min(count, PulsarPositions.index(stop));
    }

    private void refuseWhatIsNotRead(MessageMetadata metadata, long ledger, long entry) {
        if (metadata.getEncryptionKeysCount() > 0) {
            throw new EnvironmentException(
                    where(ledger, entry) + " is encrypted by its producer, and encrypted messages"
                            + " are not read: turn the encryption of that producer off (TLS keeps the connection secret)");
        }
        if (metadata.hasNumChunksFromMsg() && metadata.getNumChunksFromMsg() > 1) {
            throw new EnvironmentException(where(ledger, entry)
                    + " is a piece of a message that its producer has cut into "
                    + metadata.getNumChunksFromMsg() + ", and chunked messages are not read: turn chunking off at that"
                    + " producer, or raise the broker's maxMessageSize");
        }
    }

    private String where(long ledger, long entry) {
        return "entry " + ledger + ":" + entry + " of topic '" + split.topic() + "', partition " + split.partition()
                + ",";
    }

    private void close() {
        if (filling.count() > 0 || fillingPermits > 0) {
            full.add(new Item(filling.count() == 0 ? null : filling.build(false, lastIndex), fillingPermits, null));
            fillingPermits = 0;
        }
    }

    /** The next chunk or gap, in order; null when there is none. Its permits count as given back. */
    synchronized @Nullable Item poll() {
        if (full.isEmpty()) {
            close();
        }
        Item item = full.poll();
        if (item != null) {
            window.released(item.permits());
        }
        return item;
    }

    /** Throws what must end the job, once all that came before it is taken. */
    synchronized void check() {
        if (failure != null && isEmpty()) {
            throw failure;
        }
    }

    /** Whether nothing more is to be taken, now or later. */
    synchronized boolean isFinished() {
        return stopReached && isEmpty();
    }

    /** Whether everything up to that entry has come and is taken; an entry below 0 is none. */
    synchronized boolean hasReached(long ledger, long entry) {
        boolean came = entry < 0 || !isBehind(ledger, entry);
        return came && isEmpty();
    }

    private boolean isBehind(long ledger, long entry) {
        return ledger > lastLedger || ledger == lastLedger && entry > lastEntry;
    }

    /** The last entry that has come, or stood before the split's start; null when there is none. */
    synchronized @Nullable Position last() {
        return lastLedger < 0 ? null : PulsarPositions.of(lastLedger, lastEntry, 0);
    }

    private boolean isEmpty() {
        return full.isEmpty() && fillingPermits == 0;
    }

    /** The entries that came so far, those that were dropped among them. */
    synchronized long arrivals() {
        return arrivals;
    }

    /** The broker's index of the last message that came; {@link PayloadChunk#NOT_COUNTED} when it does not count, or nothing came. */
    synchronized long lastIndex() {
        return lastIndex;
    }

    /** See {@link FlowWindow#connected}. */
    synchronized void connected(LongSupplier disconnections) {
        window.connected(disconnections);
    }

    synchronized void stalled() {
        window.stalled();
    }

    /** The permits that the broker is to get now; they count as granted. */
    synchronized int grant() {
        return window.grant();
    }
}
