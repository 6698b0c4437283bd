package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.Publisher;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClientException;

/** Hands the broker's answer to one send on, once: whoever comes first gives the receipt, the answer or the closing publisher. */
final class PulsarAnswer implements BiConsumer<MessageId, Throwable> {
    private final AtomicBoolean given = new AtomicBoolean();
    private final PulsarPublisher publisher;
    private final Publisher.Receipt receipt;
    private final int partition;
    private final long sequenceId;

    PulsarAnswer(PulsarPublisher publisher, Publisher.Receipt receipt, int partition, long sequenceId) {
        this.publisher = publisher;
        this.receipt = receipt;
        this.partition = partition;
        this.sequenceId = sequenceId;
    }

    int partition() {
        return partition;
    }

    long sequenceId() {
        return sequenceId;
    }

    boolean isGiven() {
        return given.get();
    }

    @Override
    public void accept(MessageId id, Throwable failure) {
        if (failure == null) {
            MessageIdAdv stored = (MessageIdAdv) id;
            if (stored.getLedgerId() < 0) {
                // Sent again after a reconnect, and the broker had it already: then it does not say where.
                publisher.seek(this);
            } else {
                publisher.isStored(partition, stored);
                stored(stored);
            }
        } else if (isRefusal(failure)) {
            give(() -> receipt.refused(PulsarCalls.sentence(failure)));
        } else {
            unknown(PulsarCalls.sentence(failure));
        }
    }

    void stored(MessageIdAdv id) {
        give(() ->
                receipt.stored(partition, PulsarPositions.of(id.getLedgerId(), id.getEntryId(), id.getBatchIndex())));
    }

    void unknown(String sentence) {
        give(() -> receipt.unknown(sentence));
    }

    private void give(Runnable giving) {
        if (!given.compareAndSet(false, true)) {
            return;
        }
        try {
            giving.run();
        } finally {
            publisher.answered(partition);
        }
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof PulsarClientException.InvalidMessageException
                || failure instanceof PulsarClientException.NotAllowedException
                || failure instanceof PulsarClientException.AuthorizationException
                || failure instanceof PulsarClientException.TopicDoesNotExistException
                || failure instanceof PulsarClientException.TopicTerminatedException
                || failure instanceof PulsarClientException.CryptoException;
    }
}
