package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.concurrent.SingleWriterLong;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * An idempotent producer that never waits: {@code max.block.ms=0}, so a full buffer (or metadata that is just being asked
 * for again, or a partition's first record that has no answer yet) is a "no" of the offer, and no delivery time-out, so an
 * outage is waited out.
 */
final class KafkaPublisher implements Publisher {
    private static final Duration OPEN_BOUND = Duration.ofSeconds(KafkaCalls.BOUND_SECONDS);
    /** More than a batch's and a record's headers and a key of reasonable size take. */
    private static final int OVERHEAD_BYTES = 1024;

    private static final long ROOM = -1;
    private static final long ASKED_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final int largestPayloadBytes;
    private final FirstSends firstSends;
    /** Written by the client's network thread alone, as the sends by the offering one: neither waits for the other's cache. */
    private final SingleWriterLong answered = new SingleWriterLong();

    private final SingleWriterLong taken = new SingleWriterLong();

    /** The offering thread, and how its send failed at once. Not written by every offer: receipts read what is beside them. */
    private Thread offering;

    private Exception failedAtOnce;

    /** How many answers there were when the buffer was found full, or {@link #ROOM}. Of the offering thread. */
    private long fullAt = ROOM;

    private long fullNanos;

    /** Since when brokers say that there is no such topic; null while they do not. Of the offering thread. */
    private @Nullable Long missingSinceNanos;

    private KafkaPublisher(
            KafkaProducer<byte[], byte[]> producer, String topic, int partitions, int largestPayloadBytes) {
        this.producer = producer;
        this.topic = topic;
        this.partitions = partitions;
        this.largestPayloadBytes = largestPayloadBytes;
        this.firstSends = new FirstSends(partitions);
    }

    static KafkaPublisher open(
            KafkaOptions options, String topic, String name, int partitions, long topicLargestBytes) {
        Properties properties = options.producerProperties();
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, name);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
        long request = Long.parseLong(properties
                .getOrDefault(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(1 << 20))
                .toString());
        int largest = (int) Math.max(0, Math.min(request, topicLargestBytes) - OVERHEAD_BYTES);
        KafkaProducer<byte[], byte[]> producer;
        try {
            producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw KafkaCalls.unusable(e, "cannot publish to Kafka at " + options.address());
        }
        KafkaPublisher publisher = new KafkaPublisher(producer, topic, partitions, largest);
        try {
            publisher.awaitMetadata(options.address());
            return publisher;
        } catch (RuntimeException e) {
            publisher.close();
            throw e;
        }
    }

    /** With {@code max.block.ms=0} metadata that is not there yet fails at once, so it is asked for until it is. */
    private void awaitMetadata(String address) {
        long deadline = System.nanoTime() + OPEN_BOUND.toNanos();
        while (true) {
            TimeoutException silence = null;
            try {
                if (producer.partitionsFor(topic).size() >= partitions) {
                    return;
                }
            } catch (TimeoutException e) {
                silence = e;
            } catch (KafkaException e) {
                throw KafkaCalls.failure(e, address, "tell the partitions of topic '" + topic + "'");
            }
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw KafkaCalls.silent(address, "tell the partitions of topic '" + topic + "'", silence);
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    @Override
    public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
        if (value.length > largestPayloadBytes) {
            receipt.refused(tooLarge(value.length));
            return true;
        }
        if (isStillFull()) {
            return false;
        }
        int partition = KeyPartitions.of(key, partitions);
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, partition, KafkaTimes.orNone(eventTimeMillis), key, value);
        Receipt admitted = firstSends.admit(partition, receipt);
        if (admitted == null) {
            return false;
        }
        if (offering != Thread.currentThread()) {
            offering = Thread.currentThread();
        }
        if (failedAtOnce != null) {
            // Of a send that threw as well: it must not be taken for this one's.
            failedAtOnce = null;
        }
        producer.send(message, new Answer(admitted));
        Exception failure = failedAtOnce;
        if (failure == null) {
            taken.increment();
            if (missingSinceNanos != null) {
                missingSinceNanos = null;
            }
            return true;
        }
        // A full buffer is a TimeoutException too.
        if (failure instanceof TimeoutException && !isMissing(failure)) {
            firstSends.notTaken(partition);
            if (failure instanceof BufferExhaustedException) {
                fullAt = answered.get();
                fullNanos = System.nanoTime();
                missingSinceNanos = null;
            }
            return false;
        }
        admitted.refused(
                failure instanceof TimeoutException ? "there is no topic '" + topic + "' any more" : sentence(failure));
        return true;
    }

    /**
     * Whether nothing was answered since the buffer was found full: only answers make room, and the client says no by an exception
     * with a trace, to whoever asks thousands of times a second. With nothing on its way there is room, whatever was counted when.
     * Once a second it is asked all the same: of a topic that is gone it says that, and no answers come.
     */
    private boolean isStillFull() {
        if (fullAt == ROOM) {
            return false;
        }
        boolean isAnswered = answered.get() != fullAt || fullAt >= taken.get();
        if (!isAnswered && System.nanoTime() - fullNanos < ASKED_AGAIN_NANOS) {
            return true;
        }
        fullAt = ROOM;
        return false;
    }

    /** Whether brokers have said for long that there is no such topic: the client would ask for it for ever. */
    private boolean isMissing(Exception failure) {
        if (!(failure.getCause() instanceof UnknownTopicOrPartitionException)) {
            return false;
        }
        if (missingSinceNanos == null) {
            missingSinceNanos = System.nanoTime();
        }
        return System.nanoTime() - missingSinceNanos > KafkaCalls.MISSING_BOUND.toNanos();
    }

    private String tooLarge(int bytes) {
        return "a payload of " + bytes + " bytes is larger than topic '" + topic + "' takes (" + largestPayloadBytes
                + ")";
    }

    private static String sentence(Exception failure) {
        if (failure instanceof ClusterAuthorizationException) {
            return "it does not allow idempotent writes, which a retried send needs to be stored once: this user needs"
                    + " the right IDEMPOTENT_WRITE on the cluster";
        }
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static boolean isRefusal(Exception failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof InvalidTopicException
                || failure instanceof InvalidTimestampException
                || failure instanceof UnknownTopicOrPartitionException
                || failure instanceof AuthorizationException;
    }

    @Override
    public boolean flush(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (answered.get() < taken.get()) {
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
        producer.close(Duration.ZERO);
    }

    /** Hands the broker's answer on; one for each send. */
    private final class Answer implements Callback {
        private final Receipt receipt;

        private Answer(Receipt receipt) {
            this.receipt = receipt;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, Exception failure) {
            if (failure != null && isOffering()) {
                failedAtOnce = failure;
                return;
            }
            try {
                if (failure == null) {
                    receipt.stored(metadata.partition(), new Position(0, metadata.offset()));
                } else if (isRefusal(failure)) {
                    receipt.refused(sentence(failure));
                } else {
                    receipt.unknown(sentence(failure));
                }
            } finally {
                answered.increment();
            }
        }

        /** Whether this is a failure inside the send itself: then nothing was taken. The client answers the rest on its thread. */
        private boolean isOffering() {
            return Thread.currentThread() == offering;
        }
    }
}
