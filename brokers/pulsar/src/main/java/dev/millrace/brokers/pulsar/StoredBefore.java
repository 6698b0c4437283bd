package dev.millrace.brokers.pulsar;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;

/**
 * Finds where a message stands that was sent twice: the broker says that it had it, not where. The partition is read from the last
 * position known until the publisher's name and the sequence id come by; they come in the order in which they are sought. Its
 * thread lives while something is sought. Thread-safe.
 */
final class StoredBefore {
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(PulsarClients.BOUND_SECONDS);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final PulsarClient client;
    private final PulsarOptions options;
    private final String topic;
    private final String publisher;
    private final Deque<Sought> sought = new ArrayDeque<>();
    private boolean isWorking;
    private volatile boolean isClosed;

    StoredBefore(PulsarClient client, PulsarOptions options, String topic, String publisher) {
        this.client = client;
        this.options = options;
        this.topic = topic;
        this.publisher = publisher;
    }

    /** @param from a position of the partition before which it cannot stand */
    private record Sought(PulsarAnswer answer, MessageId from) {}

    /** One partition, read forward. */
    private static final class Trail {
        private final Reader<byte[]> reader;
        private Message<byte[]> last;

        Trail(Reader<byte[]> reader) {
            this.reader = reader;
        }
    }

    synchronized void seek(PulsarAnswer answer, MessageId from) {
        sought.add(new Sought(answer, from));
        if (!isWorking) {
            isWorking = true;
            Thread thread = new Thread(this::work, "pulsar-stored-before-" + topic);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized Sought next() {
        Sought next = isClosed ? null : sought.poll();
        isWorking = next != null;
        return next;
    }

    private void work() {
        Map<Integer, Trail> trails = new HashMap<>();
        Sought next = next();
        while (next != null) {
            find(next, trails);
            next = next();
        }
        trails.values().forEach(trail -> trail.reader.closeAsync());
    }

    private void find(Sought wanted, Map<Integer, Trail> trails) {
        PulsarAnswer answer = wanted.answer();
        try {
            Trail trail = trails.get(answer.partition());
            if (trail == null) {
                trail = new Trail(open(wanted));
                trails.put(answer.partition(), trail);
            }
            MessageIdAdv found = find(trail, answer.sequenceId());
            if (found != null) {
                answer.stored(found);
                return;
            }
            answer.unknown("the broker says that it is stored already, but it was not found there");
        } catch (PulsarClientException | RuntimeException e) {
            answer.unknown("the broker says that it is stored already, but where could not be read: "
                    + PulsarCalls.sentence(e));
        }
    }

    /** Tries as long as nobody answers: a publisher waits an outage out. */
    private Reader<byte[]> open(Sought wanted) throws PulsarClientException {
        while (true) {
            try {
                return client.newReader()
                        .topic(options.partition(topic, wanted.answer().partition()))
                        .startMessageId(wanted.from())
                        .startMessageIdInclusive()
                        .create();
            } catch (PulsarClientException e) {
                if (isClosed || !PulsarCalls.isSilence(e)) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** Null when it does not come by. */
    private MessageIdAdv find(Trail trail, long sequenceId) throws PulsarClientException {
        long deadline = System.nanoTime() + BOUND_NANOS;
        while (!isClosed && System.nanoTime() < deadline) {
            if (trail.last != null && trail.last.getSequenceId() >= sequenceId) {
                return trail.last.getSequenceId() == sequenceId ? (MessageIdAdv) trail.last.getMessageId() : null;
            }
            Message<byte[]> message = trail.reader.readNext(1, TimeUnit.SECONDS);
            if (message == null && !trail.reader.isConnected()) {
                deadline = System.nanoTime() + BOUND_NANOS;
            }
            if (message != null && publisher.equals(message.getProducerName())) {
                trail.last = message;
            }
        }
        return null;
    }

    /** What is still sought stays without an answer; the closing publisher gives it. */
    void close() {
        isClosed = true;
    }
}
