package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.Options;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class LocalKafkaTest {
    private static final Options SMALL = Options.of(Map.of("memory", "512MiB"));

    @Test
    void whatWasPublishedIsReadBackAfterTheServerWasKilledAndStartedAgain(@TempDir Path directory) {
        KafkaBroker kafka = new KafkaBroker();
        try (LocalBroker server = kafka.startLocal(directory, SMALL);
                BrokerClient client = kafka.connect(server.options())) {
            client.createTopic(TopicSpec.of("readings", 2));
            assertThat(client.effectiveSettings("readings").serverVersion()).isEqualTo("4.1.1");
            try (Publisher publisher = client.publisher("readings", "test")) {
                for (int i = 0; i < 1000; i++) {
                    assertThat(publisher.offer(bytes("key " + i), bytes("value " + i), i, new Receipts()))
                            .isTrue();
                }
                assertThat(publisher.flush(Duration.ofSeconds(20))).isTrue();
                server.kill();
                assertThat(server.isAlive()).isFalse();
                server.restart();
                assertThat(publisher.offer(bytes("key"), bytes("last"), 0, new Receipts()))
                        .isTrue();
                assertThat(publisher.flush(Duration.ofSeconds(20))).isTrue();
            }
            assertThat(read(client, 1001)).hasSize(1001).doesNotHaveDuplicates();
            assertThat(client.lag("readings", "nobody")).isEqualTo(1001);
        }
    }

    private static List<String> read(BrokerClient client, int atLeast) {
        List<String> values = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        try (Subscriber subscriber = client.subscriber("readings", new StartFrom.Earliest())) {
            while (values.size() < atLeast && System.nanoTime() < deadline) {
                for (PayloadChunk chunk : subscriber.poll(Duration.ofMillis(500))) {
                    for (int i = 0; i < chunk.count(); i++) {
                        values.add(new String(chunk.payload(i), StandardCharsets.UTF_8));
                    }
                }
            }
        }
        return values;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
