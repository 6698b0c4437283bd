package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.client.impl.MessageIdImpl;

/**
 * One named producer for each partition, so that the broker knows which sequence ids it has stored of it: what is sent again
 * after a restart is stored once. A full buffer is a "no" of the offer, and there is no send time-out, so an outage is waited
 * out.
 */
final class PulsarPublisher implements Publisher {
    /** An outage of the broker is waited out in this buffer; behind it the offers say no. */
    private static final long BUFFER_BYTES = 64L << 20;

    /** More than a batch's and a message's metadata and a key of reasonable size take. */
    private static final int OVERHEAD_BYTES = 16 << 10;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PulsarClient client;
    private final String topic;
    private final int largestPayloadBytes;
    private final List<Producer<byte[]>> producers = new ArrayList<>();
    private final List<ConcurrentLinkedQueue<PulsarAnswer>> unanswered = new ArrayList<>();
    private final StoredBefore storedBefore;

    /** The next sequence id of each partition; touched by the offering thread alone. */
    private final long[] sequenceIds;

    /** The newest message of each partition of which the broker has said where it stands. */
    private final AtomicReferenceArray<MessageId> known;

    private final AtomicLong outstanding = new AtomicLong();

    private PulsarPublisher(
            PulsarClient client, PulsarOptions options, String topic, String name, int partitions, int largestBytes) {
        this.client = client;
        this.topic = topic;
        this.largestPayloadBytes = largestBytes;
        this.storedBefore = new StoredBefore(client, options, topic, name);
        this.sequenceIds = new long[partitions];
        this.known = new AtomicReferenceArray<>(partitions);
    }

    /** @param ends where each partition ends now */
    static PulsarPublisher open(
            PulsarOptions options, String topic, String name, Map<Integer, Position> ends, int largestMessageBytes) {
        PulsarPublisher publisher = new PulsarPublisher(
                PulsarClients.client(options, BUFFER_BYTES),
                options,
                topic,
                name,
                ends.size(),
                Math.max(0, largestMessageBytes - OVERHEAD_BYTES));
        try {
            for (int partition = 0; partition < ends.size(); partition++) {
                Position end = ends.get(partition);
                publisher.known.set(
                        partition,
                        new MessageIdImpl(PulsarPositions.ledger(end), PulsarPositions.entry(end), partition));
                publisher.unanswered.add(new ConcurrentLinkedQueue<>());
                Producer<byte[]> producer = publisher.producer(options, name, partition);
                publisher.producers.add(producer);
                // Above what the broker has stored under this name, in an earlier life too.
                publisher.sequenceIds[partition] = producer.getLastSequenceId() + 1;
            }
            return publisher;
        } catch (RuntimeException e) {
            publisher.close();
            throw e;
        }
    }

    /** A producer of that name whose process has just died may still be there for the broker. */
    private Producer<byte[]> producer(PulsarOptions options, String name, int partition) {
        String what = "publish to partition " + partition + " of topic '" + topic + "'";
        ProducerBuilder<byte[]> builder = client.newProducer()
                .loadConf(options.producerSettings())
                .topic(options.partition(topic, partition))
                .producerName(name)
                .compressionType(CompressionType.valueOf(options.compression().name()))
                .blockIfQueueFull(false)
                .sendTimeout(0, TimeUnit.SECONDS);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PulsarClients.BOUND_SECONDS);
        while (true) {
            CompletableFuture<Producer<byte[]>> made = builder.createAsync();
            PulsarClientException.ProducerBusyException busy = PulsarCalls.busy(made, options.address(), what);
            if (busy == null) {
                return made.join();
            }
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new EnvironmentException(
                        "another publisher of the name '" + name + "' is connected to topic '" + topic + "' at "
                                + options.address() + ": " + busy.getMessage(),
                        busy);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
        if (value.length > largestPayloadBytes) {
            receipt.refused("a payload of " + value.length + " bytes is larger than topic '" + topic + "' takes ("
                    + largestPayloadBytes + ")");
            return true;
        }
        int partition = KeyPartitions.of(key, producers.size());
        long sequenceId = sequenceIds[partition];
        TypedMessageBuilder<byte[]> message =
                producers.get(partition).newMessage().value(value).sequenceId(sequenceId);
        key(message, key);
        if (eventTimeMillis > 0) {
            message.eventTime(eventTimeMillis);
        }
        CompletableFuture<MessageId> sent = message.sendAsync();
        if (sent.isCompletedExceptionally() && isFull(sent)) {
            return false;
        }
        sequenceIds[partition] = sequenceId + 1;
        PulsarAnswer answer = new PulsarAnswer(this, receipt, partition, sequenceId);
        outstanding.incrementAndGet();
        unanswered.get(partition).add(answer);
        sent.whenComplete(answer);
        return true;
    }

    /** Text as text, so that people and other clients see it; other bytes in Pulsar's own spelling of them. */
    private static void key(TypedMessageBuilder<byte[]> message, byte[] key) {
        for (byte b : key) {
            if (b <= ' ') {
                message.keyBytes(key);
                return;
            }
        }
        message.key(new String(key, StandardCharsets.US_ASCII));
    }

    private static boolean isFull(CompletableFuture<MessageId> sent) {
        Throwable failure = PulsarCalls.failureOf(sent);
        return failure instanceof PulsarClientException.MemoryBufferIsFullError
                || failure instanceof PulsarClientException.ProducerQueueIsFullError;
    }

    /** An answer has come and was handed on. */
    void answered(int partition) {
        outstanding.decrementAndGet();
        // They come in order, mostly: what is answered at the head goes.
        ConcurrentLinkedQueue<PulsarAnswer> queue = unanswered.get(partition);
        PulsarAnswer head = queue.peek();
        while (head != null && head.isGiven()) {
            queue.remove(head);
            head = queue.peek();
        }
    }

    /** The broker has said where a message of the partition stands. */
    void isStored(int partition, MessageId id) {
        known.lazySet(partition, id);
    }

    /** The broker has said that it had this message before, and not where. */
    void seek(PulsarAnswer answer) {
        storedBefore.seek(answer, known.get(answer.partition()));
    }

    @Override
    public boolean flush(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        producers.forEach(Producer::flushAsync);
        while (outstanding.get() > 0) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return true;
    }

    @Override
    public int largestPayloadBytes() {
        return largestPayloadBytes;
    }

    @Override
    public void close() {
        for (ConcurrentLinkedQueue<PulsarAnswer> queue : unanswered) {
            for (PulsarAnswer answer : queue) {
                answer.unknown("the publisher was closed before the broker had answered");
            }
        }
        storedBefore.close();
        PulsarClients.close(client, producers.stream().map(Producer::closeAsync));
    }
}
