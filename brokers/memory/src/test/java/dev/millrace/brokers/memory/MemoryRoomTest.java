package dev.millrace.brokers.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
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

    private static TopicSpec topic(String name, long retentionBytes) {
        return new TopicSpec(name, 1, 1, retentionBytes, Duration.ofHours(1));
    }
}
