package dev.millrace.brokers.pulsar.baseline.raw;

import dev.millrace.brokers.pulsar.PulsarClients;
import dev.millrace.brokers.pulsar.PulsarOptions;
import dev.millrace.connectors.api.baseline.PartitionThreads;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * The partitions of one thread, on subscriptions that end with their consumers and hold nothing back at the broker. They are
 * made before anybody reads. The cheapest of the client's ways to one message after the other is taken: {@code batchReceive}
 * costs more CPU than {@code receive}, and pooled messages, which must be given back, more than those that the client copies
 * (figures: README).
 */
final class Share implements PartitionThreads.Reading, AutoCloseable {
    /** Of one partition before the next one has its turn. */
    private static final int TURN = 1_000;

    private static final int WAIT_MILLIS = 20;
    /** Nothing for so long although the ends are not reached: it does not come any more. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final PulsarOptions options;
    private final LongAdder records;
    private final PulsarClient client;
    private final List<Partition> open = new ArrayList<>();

    Share(PulsarOptions options, LongAdder records) {
        this.options = options;
        this.records = records;
        this.client = PulsarClients.client(options);
    }

    /** A partition's consumer, and the last message that it had when it was subscribed. */
    private static final class Partition {
        private final Consumer<byte[]> consumer;
        private final MessageIdAdv last;
        private boolean isRead;

        Partition(Consumer<byte[]> consumer) throws PulsarClientException {
            this.consumer = consumer;
            this.last = (MessageIdAdv) consumer.getLastMessageIds().get(0);
            // An empty partition's last entry is the one before the first.
            this.isRead = last.getEntryId() < 0;
        }

        /** Takes what the client has received, up to a turn; how much that was. */
        int turn() throws PulsarClientException {
            int count = 0;
            while (count < TURN && !isRead && take(0)) {
                count++;
            }
            return count;
        }

        /** Whether a message came. */
        boolean take(int waitMillis) throws PulsarClientException {
            Message<byte[]> message = consumer.receive(waitMillis, TimeUnit.MILLISECONDS);
            if (message == null) {
                return false;
            }
            MessageIdAdv id = (MessageIdAdv) message.getMessageId();
            isRead = id.getEntryId() == last.getEntryId()
                    && id.getLedgerId() == last.getLedgerId()
                    && id.getBatchIndex() == last.getBatchIndex();
            return true;
        }
    }

    void subscribe(List<String> partitions) throws PulsarClientException {
        for (String partition : partitions) {
            Consumer<byte[]> consumer = client.newConsumer(Schema.BYTES)
                    .loadConf(options.consumerSettings())
                    .topic(partition)
                    .subscriptionName("raw-" + UUID.randomUUID())
                    .subscriptionType(SubscriptionType.Exclusive)
                    .subscriptionMode(SubscriptionMode.NonDurable)
                    .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                    .autoScaledReceiverQueueSizeEnabled(false)
                    .startPaused(true)
                    .subscribe();
            open.add(new Partition(consumer));
        }
    }

    @Override
    public void run() throws PulsarClientException {
        open.forEach(partition -> partition.consumer.resume());
        open.removeIf(partition -> partition.isRead);
        long heardNanos = System.nanoTime();
        while (!open.isEmpty()) {
            int count = 0;
            for (Partition partition : open) {
                count += partition.turn();
            }
            if (count == 0 && open.get(0).take(WAIT_MILLIS)) {
                count = 1;
            }
            records.add(count);
            if (count > 0) {
                heardNanos = System.nanoTime();
                open.removeIf(partition -> partition.isRead);
            } else if (System.nanoTime() - heardNanos > SILENCE.toNanos()) {
                throw new EnvironmentException("Pulsar at " + options.address() + " has sent nothing of "
                        + open.stream()
                                .map(partition -> partition.consumer.getTopic())
                                .toList() + " for "
                        + SILENCE.toSeconds() + " s, and their ends are not reached");
            }
        }
    }

    @Override
    public void close() {
        PulsarClients.close(client);
    }
}
