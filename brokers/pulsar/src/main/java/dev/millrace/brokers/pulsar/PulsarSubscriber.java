package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.impl.BatchMessageIdImpl;
import org.jspecify.annotations.Nullable;

/** One reader without a subscription for each partition. */
final class PulsarSubscriber implements Subscriber {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int CHUNK_RECORDS = 10_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** How often a quiet partition is asked whether anything stands behind. */
    private static final long END_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PulsarClient client;
    private final String address;
    private final String topic;
    private final List<Partition> partitions = new ArrayList<>();

    private PulsarSubscriber(PulsarClient client, String address, String topic) {
        this.client = client;
        this.address = address;
        this.topic = topic;
    }

    /** One partition with its reader and what it has read of the next chunk. */
    private static final class Partition {
        private final int number;
        private final Reader<byte[]> reader;
        private final ChunkBuilder chunk;
        /** Where it begins; null once it has. A last message that is no batch comes although what was asked for is behind it. */
        private @Nullable Position from;

        /** What was read last: after a reconnect in the middle of a batch the client gives it again. */
        private long lastLedger = -1;

        private long lastMinor;

        private Message<byte[]> next;
        private boolean isAtEnd;
        private CompletableFuture<Boolean> question;
        private long askedNanos = System.nanoTime();

        Partition(int number, @Nullable Position from, Reader<byte[]> reader) {
            this.number = number;
            this.from = from;
            this.reader = reader;
            this.chunk = new ChunkBuilder(number, CHUNK_BYTES / 4);
        }

        private boolean isBehindLast(long ledger, long minor) {
            return ledger > lastLedger || ledger == lastLedger && minor > lastMinor;
        }
    }

    /**
     * @param client stays open when the subscriber is closed
     * @param from where each partition begins; those that are not named begin at their oldest record
     */
    static PulsarSubscriber open(
            PulsarClient client, PulsarOptions options, String topic, int partitions, Map<Integer, Position> from) {
        PulsarSubscriber subscriber = new PulsarSubscriber(client, options.address(), topic);
        try {
            for (int partition = 0; partition < partitions; partition++) {
                subscriber.partitions.add(new Partition(
                        partition,
                        from.get(partition),
                        PulsarCalls.await(
                                subscriber
                                        .client
                                        .newReader()
                                        .receiverQueueSize(options.receiverQueueSize())
                                        .topic(options.partition(topic, partition))
                                        .startMessageId(start(partition, from.get(partition)))
                                        .startMessageIdInclusive()
                                        .createAsync(),
                                options.address(),
                                "read topic '" + topic + "'")));
            }
            return subscriber;
        } catch (RuntimeException e) {
            subscriber.close();
            throw e;
        }
    }

    private static MessageId start(int partition, Position position) {
        if (position == null || position.equals(PulsarPositions.NOTHING)) {
            return MessageId.earliest;
        }
        return new BatchMessageIdImpl(
                PulsarPositions.ledger(position),
                PulsarPositions.entry(position),
                partition,
                PulsarPositions.index(position));
    }

    @Override
    public List<PayloadChunk> poll(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<PayloadChunk> chunks = new ArrayList<>();
        try {
            while (true) {
                for (Partition partition : partitions) {
                    read(partition);
                    if (partition.chunk.count() > 0) {
                        chunks.add(partition.chunk.build(false));
                    } else if (isNewlyAtEnd(partition)) {
                        chunks.add(PayloadChunk.confirmedEnd(partition.number, partition.askedNanos, false));
                    }
                }
                if (!chunks.isEmpty()
                        || System.nanoTime() > deadline
                        || Thread.currentThread().isInterrupted()) {
                    return chunks;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (PulsarClientException e) {
            throw PulsarCalls.failure(e, address, "read topic '" + topic + "'");
        }
    }

    /** What the client has received, up to a chunk of one ledger; waits for nothing. */
    private static void read(Partition partition) throws PulsarClientException {
        ChunkBuilder chunk = partition.chunk;
        while (chunk.size() < CHUNK_BYTES && chunk.count() < CHUNK_RECORDS) {
            Message<byte[]> message =
                    partition.next == null ? partition.reader.readNext(0, TimeUnit.MILLISECONDS) : partition.next;
            partition.next = null;
            if (message == null) {
                return;
            }
            partition.isAtEnd = false;
            partition.question = null;
            MessageIdAdv id = (MessageIdAdv) message.getMessageId();
            long minor = PulsarPositions.minor(id.getEntryId(), id.getBatchIndex());
            if (partition.from != null && new Position(id.getLedgerId(), minor).compareTo(partition.from) < 0
                    || !partition.isBehindLast(id.getLedgerId(), minor)) {
                continue;
            }
            partition.from = null;
            if (!chunk.takes(id.getLedgerId())) {
                partition.next = message;
                return;
            }
            partition.lastLedger = id.getLedgerId();
            partition.lastMinor = minor;
            byte[] payload = message.getData();
            chunk.add(
                    payload,
                    0,
                    payload.length,
                    message.getBrokerPublishTime().orElseGet(message::getPublishTime),
                    id.getLedgerId(),
                    minor);
        }
    }

    /** Whether the broker has just said that nothing stands behind what was read; said once, until something comes. */
    private static boolean isNewlyAtEnd(Partition partition) {
        if (partition.isAtEnd) {
            return false;
        }
        long now = System.nanoTime();
        if (partition.question == null) {
            if (now - partition.askedNanos > END_INTERVAL_NANOS) {
                partition.askedNanos = now;
                partition.question = partition.reader.hasMessageAvailableAsync();
            }
            return false;
        }
        if (!partition.question.isDone()) {
            return false;
        }
        // What it answers when the broker is silent is no answer.
        partition.isAtEnd = !partition.question.exceptionally(failure -> true).join();
        partition.question = null;
        return partition.isAtEnd;
    }

    @Override
    public void close() {
        PulsarClients.close(partitions.stream().map(partition -> partition.reader.closeAsync()));
    }
}
