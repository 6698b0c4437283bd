package dev.millrace.connectors.testkit.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.Options;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A local server, and topics that hold records before anybody reads them. */
final class Backlog implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 1_000_000;

    private final Broker broker;
    private final LocalBroker server;

    Backlog(Broker broker, Options localOptions, Path directory) {
        this.broker = broker;
        this.server = broker.startLocal(directory, localOptions);
    }

    Options options() {
        return server.options();
    }

    /** Publishes {@code count} records of {@code keys} keys; record {@code i} has {@link #length length(i)} bytes. */
    void fill(String topic, int partitions, int keys, int count) {
        AtomicInteger stored = new AtomicInteger();
        Publisher.Receipt receipt = new StoredReceipts(position -> stored.incrementAndGet());
        try (BrokerClient client = broker.connect(options())) {
            client.createTopic(TopicSpec.of(topic, partitions));
            try (Publisher publisher = client.publisher(topic, "backlog")) {
                for (int i = 0; i < count; i++) {
                    byte[] key =
                            ByteBuffer.allocate(Integer.BYTES).putInt(i % keys).array();
                    long deadline = System.nanoTime() + BOUND.toNanos();
                    while (!publisher.offer(key, new byte[length(i)], i, receipt)) {
                        assertThat(System.nanoTime()).as("an offer is taken").isLessThan(deadline);
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                }
                assertThat(publisher.flush(BOUND)).isTrue();
            }
        }
        assertThat(stored).hasValue(count);
    }

    static int length(int record) {
        return 20 + record % 100;
    }

    @Override
    public void close() {
        server.close();
    }
}
