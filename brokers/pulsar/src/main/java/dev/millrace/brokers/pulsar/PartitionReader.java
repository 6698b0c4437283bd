package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.EndConfirmations;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.TopicMessageId;
import org.apache.pulsar.client.impl.ConsumerImpl;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one split: subscribes, moves the subscription to the split's start, takes chunks. Each call is short, but for a look at
 * the broker's ledgers at the start and at a gap. Belongs to the fetch thread, but for {@link #endIfDeleted}.
 */
final class PartitionReader {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionReader.class);
    /** A consumer whose process died holds the subscription until the broker misses its keep-alive. */
    private static final long OPEN_BOUND_NANOS = Duration.ofSeconds(90).toNanos();

    /**
     * A stop that does not come is believed to be gone after so many confirmed ends: with the whole partition, of which nothing was read,
     * or with what was still to be read.
     */
    private static final int ENDS_BEFORE_THE_STOP = 3;

    /** The end is confirmed every second. */
    private static final long AT_END_NANOS = Duration.ofSeconds(3).toNanos();

    private static final long RETRY_NANOS = Duration.ofMillis(300).toNanos();

    /** A topic that is only moved to another broker has its consumer back by then. */
    private static final long DISCONNECTED_BOUND_MILLIS = 10_000;

    private final PartitionSplit split;
    private final ReaderGroup group;
    private final GroupCursor cursor;
    private final EndConfirmations confirmations;
    private final PartitionInbox inbox;
    private final StallWatch stallWatch = new StallWatch();
    /** Of the first try; not before this is asked to read. */
    private @Nullable Long openedNanos;

    private long retryNanos;
    private @Nullable CompletableFuture<Consumer<byte[]>> subscribing;
    /** Read by other threads. */
    private volatile @Nullable ConsumerImpl<byte[]> consumer;

    private @Nullable CompletableFuture<Void> seeking;
    private boolean reading;
    private @Nullable CompletableFuture<List<TopicMessageId>> asked;
    private long askedNanos;
    /** How far it had read when it asked. */
    private @Nullable Position lastWhenAsked;

    private int endsInRow;
    /** Read by other threads. */
    private volatile boolean atEnd;

    private volatile long atEndNanos;

    PartitionReader(
            PartitionSplit split,
            ReaderGroup group,
            GroupCursor cursor,
            EndConfirmations confirmations,
            PartitionInbox inbox) {
        this.split = split;
        this.group = group;
        this.cursor = cursor;
        this.confirmations = confirmations;
        this.inbox = inbox;
    }

    PartitionSplit split() {
        return split;
    }

    PartitionInbox inbox() {
        return inbox;
    }

    /** The next chunk, an empty one that confirms the end, or null when there is nothing now. */
    @Nullable
    PayloadChunk poll() {
        if (!reading) {
            inbox.check();
            open();
            return null;
        }
        PartitionInbox.Item item = inbox.poll();
        while (item != null && item.chunk() == null) {
            if (item.gap() != null) {
                cursor.requireNothingIn(item.gap(), split.partition());
            }
            item = inbox.poll();
        }
        grant();
        if (item != null) {
            // An answer from before it came is about another end.
            asked = null;
            atEnd = false;
            endsInRow = 0;
            return item.chunk();
        }
        inbox.check();
        return isEndConfirmed() ? confirmations.confirmed(split.splitId(), split.partition()) : null;
    }

    /** Whether the broker has just confirmed the end, and nothing came since. A reader that waits for the job knows nothing of it. */
    boolean isAtEnd() {
        return atEnd && System.nanoTime() - atEndNanos < AT_END_NANOS;
    }

    /** Whether the split is read to its stop. */
    boolean isFinished() {
        return split.stop() != null && (inbox.isFinished() || endsInRow >= ENDS_BEFORE_THE_STOP);
    }

    /**
     * Ends the job when the topic was deleted: the client then gives its consumer up, and says so only in its log. Asks the
     * administration, and only about a consumer that has been without a connection for a while. Called by another thread.
     */
    void endIfDeleted() {
        ConsumerImpl<byte[]> open = consumer;
        if (open != null
                && !open.isConnected()
                && System.currentTimeMillis() - open.getLastDisconnectedTimestamp() > DISCONNECTED_BOUND_MILLIS) {
            cursor.deletion(split.partition()).ifPresent(inbox::fail);
        }
    }

    private void open() {
        long now = System.nanoTime();
        if (openedNanos == null) {
            openedNanos = now;
            retryNanos = now;
        }
        if (now - retryNanos < 0) {
            return;
        }
        try {
            if (subscribing == null) {
                subscribing = group.subscribe(split.partition(), inbox);
            }
            if (consumer == null && subscribing.isDone()) {
                consumer = (ConsumerImpl<byte[]>) subscribing.join();
                if (split.start() != null) {
                    cursor.requireStart(split);
                }
            }
            if (consumer != null && seeking == null) {
                seeking = consumer.seekAsync(start());
            }
            if (seeking != null && seeking.isDone() && (seeking.isCompletedExceptionally() || consumer.isConnected())) {
                // Before the consumer is back the first permits would count twice.
                seeking.join();
                inbox.connected(consumer::getLastDisconnectedTimestamp);
                consumer.resume();
                reading = true;
            } else if (now - openedNanos > OPEN_BOUND_NANOS) {
                // A consumer that lost its topic in the middle of a seek leaves it unanswered.
                throw PulsarCalls.silent(group.address(), what(), new TimeoutException());
            }
        } catch (CompletionException e) {
            failOrRetry(e.getCause(), now);
        }
    }

    private MessageId start() {
        Position start = split.start();
        return start == null
                ? MessageId.earliest
                : new MessageIdImpl(PulsarPositions.ledger(start), PulsarPositions.entry(start), split.partition());
    }

    private void failOrRetry(Throwable cause, long now) {
        String what = what();
        if (isFinal(cause) || now - openedNanos > OPEN_BOUND_NANOS) {
            throw PulsarCalls.failure(cause, group.address(), what);
        }
        LOG.info("asked to {}, Pulsar said {}; trying again", what, PulsarCalls.sentence(cause));
        retryNanos = now + RETRY_NANOS;
        if (consumer == null) {
            subscribing = null;
        }
        seeking = null;
    }

    private String what() {
        return "read partition " + split.partition() + " of topic '" + split.topic() + "' as reader group '"
                + group.name() + "'";
    }

    private static boolean isFinal(Throwable cause) {
        return PulsarCalls.isMissing(cause)
                || cause instanceof EnvironmentException
                || cause instanceof PulsarClientException.AuthenticationException
                || cause instanceof PulsarClientException.AuthorizationException
                || cause instanceof PulsarClientException.NotAllowedException
                || cause instanceof PulsarClientException.InvalidConfigurationException
                || cause instanceof PulsarClientException.InvalidTopicNameException;
    }

    private void grant() {
        ConsumerImpl<byte[]> open = consumer;
        if (open == null || !open.isConnected()) {
            return;
        }
        int permits = inbox.grant();
        if (permits > 0) {
            open.increaseAvailablePermits(permits);
        }
    }

    /** Asks the broker for its last entry when a confirmation is due, and sees whether its answer says that all has come. */
    private boolean isEndConfirmed() {
        ConsumerImpl<byte[]> open = consumer;
        if (asked == null) {
            if (open != null && confirmations.due(split.splitId())) {
                stallWatch.asked(inbox.arrivals());
                lastWhenAsked = inbox.last();
                askedNanos = System.nanoTime();
                asked = open.getLastMessageIdsAsync();
            }
            return false;
        }
        if (!asked.isDone()) {
            confirmations.unanswered(split.splitId());
            return false;
        }
        CompletableFuture<List<TopicMessageId>> answer = asked;
        asked = null;
        if (answer.isCompletedExceptionally()) {
            confirmations.denied(split.splitId());
            return false;
        }
        MessageIdAdv last = (MessageIdAdv) answer.join().get(0);
        requireSameTopic(last);
        boolean reached = inbox.hasReached(last.getLedgerId(), last.getEntryId());
        atEndNanos = askedNanos;
        atEnd = reached;
        endsInRow = atEnd ? endsInRow + 1 : 0;
        if (!atEnd) {
            confirmations.denied(split.splitId());
        }
        requireStop();
        if (stallWatch.stalled(inbox.arrivals(), atEnd)) {
            inbox.stalled();
        }
        return atEnd;
    }

    /** What was read is not behind the end, unless it was of another topic of that name. */
    private void requireSameTopic(MessageIdAdv last) {
        Position before = lastWhenAsked;
        if (before != null
                && last.getEntryId() >= 0
                && PulsarPositions.of(last.getLedgerId(), last.getEntryId(), 0).compareTo(before) < 0) {
            throw cursor.anew(split.partition(), before);
        }
    }

    /** Of a partition of which nothing was ever read all may be gone. */
    private void requireStop() {
        Position before = inbox.last();
        if (split.stop() != null && endsInRow >= ENDS_BEFORE_THE_STOP && !inbox.isFinished() && before != null) {
            throw cursor.goneBeforeStop(split.partition(), before);
        }
    }
}
