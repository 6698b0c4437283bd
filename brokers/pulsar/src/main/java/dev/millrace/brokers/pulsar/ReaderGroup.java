package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.connectors.api.reader.PositionCommitter;
import dev.millrace.core.reading.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.ConsumerCryptoFailureAction;
import org.apache.pulsar.client.api.MessagePayloadProcessor;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.jspecify.annotations.Nullable;

/**
 * One subtask's part in a reader group: a client with one consumer per partition on the durable subscription that the group is.
 * Consumers stay open until the reader is closed, so that the last checkpoint can still be reported. Thread-safe.
 */
final class ReaderGroup implements PositionCommitter {
    private static final long ACKNOWLEDGE_SECONDS = 10;

    private final PulsarOptions options;
    private final String topic;
    private final String name;
    private final PendingWatch pending;
    private final boolean receipts;
    private final Map<Integer, Consumer<byte[]>> consumers = new ConcurrentHashMap<>();
    private @Nullable PulsarClient client;
    private boolean closed;

    /** @param pending is closed with the group */
    ReaderGroup(PulsarOptions options, String topic, String name, PendingWatch pending) {
        this(options, topic, name, pending, false);
    }

    /** One whose {@link #commit} waits until the broker has answered; otherwise only until it is sent. */
    static ReaderGroup withReceipts(PulsarOptions options, String topic, String name, PendingWatch pending) {
        return new ReaderGroup(options, topic, name, pending, true);
    }

    private ReaderGroup(PulsarOptions options, String topic, String name, PendingWatch pending, boolean receipts) {
        this.receipts = receipts;
        this.options = options;
        this.topic = topic;
        this.name = name;
        this.pending = pending;
    }

    String address() {
        return options.address();
    }

    String name() {
        return name;
    }

    /** Subscribes to one partition; the consumer gets nothing before it is resumed. */
    CompletableFuture<Consumer<byte[]>> subscribe(int partition, MessagePayloadProcessor inbox) {
        PulsarClient open = client();
        if (open == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("the reader is closed"));
        }
        ConsumerBuilder<byte[]> builder = open.newConsumer(Schema.BYTES).loadConf(options.consumerSettings());
        return builder.isAckReceiptEnabled(receipts)
                // One is as many as a checkpoint has. Gathered, one that was lost with its connection is never sent
                // again:
                // the client takes the same position for one that it has sent.
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .topic(options.partition(topic, partition))
                .subscriptionName(name)
                .subscriptionType(SubscriptionType.Exclusive)
                .subscriptionMode(SubscriptionMode.Durable)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .receiverQueueSize(FlowWindow.FIRST_PERMITS)
                .autoScaledReceiverQueueSizeEnabled(false)
                .poolMessages(true)
                .cryptoFailureAction(ConsumerCryptoFailureAction.CONSUME)
                .messagePayloadProcessor(inbox)
                .startPaused(true)
                .subscribeAsync()
                .thenApply(consumer -> {
                    consumers.put(partition, consumer);
                    return consumer;
                });
    }

    private synchronized @Nullable PulsarClient client() {
        if (client == null && !closed) {
            NativeLz4.install();
            client = PulsarClients.client(options);
        }
        return client;
    }

    @Override
    public void commit(Map<String, Position> lastRead) throws Exception {
        List<CompletableFuture<Void>> acknowledged = new ArrayList<>();
        lastRead.forEach((splitId, last) -> {
            int partition = PartitionSplit.partition(splitId);
            Consumer<byte[]> consumer = consumers.get(partition);
            if (consumer != null) {
                acknowledged.add(consumer.acknowledgeCumulativeAsync(
                        new MessageIdImpl(PulsarPositions.ledger(last), PulsarPositions.entry(last), partition)));
            }
        });
        CompletableFuture.allOf(acknowledged.toArray(CompletableFuture[]::new))
                .get(ACKNOWLEDGE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        PulsarClient open;
        synchronized (this) {
            closed = true;
            open = client;
        }
        pending.close();
        if (open != null) {
            PulsarClients.close(open);
        }
    }
}
