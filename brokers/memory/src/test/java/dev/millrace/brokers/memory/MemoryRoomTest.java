package dev.millrace.brokers.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.testkit.baseline.StoredReceipts;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryRoomTest {
    /** What a topic of one partition comes to beyond what it is to keep. */
    private static final long BLOCK_BYTES = 1 << 20;

    @Test
    @DisplayName("a server holds what the plugin says it has room for, and not a topic more")
    void room(@TempDir Path directory) {
        MemoryBroker broker = new MemoryBroker();
        Options options = Options.of(Map.of("in-process", "true", "memory", "512MiB"));
        long room = broker.localRoomBytes(options).orElseThrow();
        try (LocalBroker local = broker.startLocal(directory, options);
                BrokerClient client = broker.connect(local.options())) {
            client.createTopic(topic("readings", room / 2 - BLOCK_BYTES));
            client.createTopic(topic("windows", room / 2 - BLOCK_BYTES));
            assertThatThrownBy(() -> client.createTopic(topic("more", 64 << 20)))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("other topics are promised");
        }
    }

    @Test
    @Tag("server")
    @DisplayName("a server of its own outlives a topic that has come to all it is to keep, and more")
    void full(@TempDir Path directory) {
        MemoryBroker broker = new MemoryBroker();
        for (String memory : List.of("256MiB", "512MiB")) {
            // Some fill a block, of others one alone does not leave room for a second.
            int payloadBytes = memory.equals("256MiB") ? 600_000 : 300;
            Options options = Options.of(Map.of("memory", memory));
            long room = broker.localRoomBytes(options).orElseThrow();
            try (LocalBroker local = broker.startLocal(directory.resolve(memory), options);
                    BrokerClient client = broker.connect(local.options())) {
                client.createTopic(topic("readings", room - BLOCK_BYTES));
                publish(client, room + room / 2, payloadBytes);
                assertThat(ProcessHandle.of(local.pid()).map(ProcessHandle::isAlive))
                        .contains(true);
                assertThat(client.endPositions("readings")).hasSize(1);
            }
        }
    }

    private static void publish(BrokerClient client, long bytes, int payloadBytes) {
        byte[] value = new byte[payloadBytes];
        byte[] key = new byte[8];
        Publisher.Receipt receipt = new StoredReceipts(position -> {});
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        try (Publisher publisher = client.publisher("readings", "full")) {
            for (long sent = 0; sent < bytes; sent += value.length) {
                while (!publisher.offer(key, value, sent, receipt)) {
                    assertThat(System.nanoTime())
                            .as("a full buffer, after %d bytes", sent)
                            .isLessThan(deadline);
                    LockSupport.parkNanos(100_000);
                }
            }
            assertThat(publisher.flush(Duration.ofSeconds(60))).isTrue();
        }
    }

    private static TopicSpec topic(String name, long retentionBytes) {
        return new TopicSpec(name, 1, 1, retentionBytes, Duration.ofHours(1));
    }
}
