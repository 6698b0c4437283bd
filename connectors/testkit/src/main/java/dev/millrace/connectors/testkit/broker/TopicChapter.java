package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names, capabilities, topics and settings. */
interface TopicChapter extends Chapter {
    /** Messages of 3 MB in all. */
    int COMPRESSED = 10_000;

    @Test
    @DisplayName("the name is lower case letters and digits and discovery finds it")
    default void name() {
        assertThat(bench().broker().name()).matches("[a-z][a-z0-9]*");
        assertThat(Brokers.names()).contains(bench().broker().name());
    }

    @Test
    @DisplayName("making a topic twice changes nothing")
    default void createTwice() {
        String topic = bench().filledTopic(2, 10);
        try (BrokerClient client = bench().connect()) {
            client.createTopic(bench().spec(topic, 2));
            assertThat(client.partitions(topic)).isEqualTo(2);
        }
        assertThat(bench().read(topic, 10)).hasSize(10);
    }

    @Test
    @DisplayName("making a topic again with another number of partitions is refused with both numbers")
    default void createWithOtherPartitions() {
        String topic = bench().topic(2);
        try (BrokerClient client = bench().connect()) {
            assertThatThrownBy(() -> client.createTopic(bench().spec(topic, 3)))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(topic)
                    .hasMessageContaining("2")
                    .hasMessageContaining("3");
            assertThat(client.partitions(topic)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("more replicas than there are servers are refused with a sentence")
    default void tooManyReplicas() {
        String topic = bench().freshName();
        try (BrokerClient client = bench().connect()) {
            assertThatThrownBy(() -> client.createTopic(new TopicSpec(topic, 1, 3, 1 << 20, Duration.ofHours(1))))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("replica");
            assertThat(client.partitions(topic)).isZero();
        }
    }

    @Test
    @DisplayName("a topic that does not say how many replicas gets as many as the broker's owner has set")
    default void replicasOfTheOwner() {
        String topic = bench().freshName();
        try (BrokerClient client = bench().connect()) {
            client.createTopic(new TopicSpec(topic, 1, 0, 1 << 20, Duration.ofHours(1)));
            assertThat(client.effectiveSettings(topic).replicas()).isPositive();
        }
    }

    @Test
    @DisplayName("removing a topic that is not there is no error")
    default void deleteMissing() {
        try (BrokerClient client = bench().connect()) {
            assertThatCode(() -> client.deleteTopic(bench().freshName())).doesNotThrowAnyException();
        }
    }

    @Test
    @DisplayName("a topic that was removed is gone and can be made again, empty")
    default void deleteAndMakeAgain() {
        String topic = bench().filledTopic(1, 10);
        try (BrokerClient client = bench().connect()) {
            client.deleteTopic(topic);
            Await.until(bench().bound(), "the topic is gone", () -> client.partitions(topic) == 0);
            client.createTopic(bench().spec(topic, 1));
        }
        bench().publish(topic, Message.numbered(1, 500, 1));
        assertThat(Stored.texts(bench().read(topic, 1))).containsExactly("device-0/500");
    }

    @Test
    @DisplayName("a topic has the partitions it was made with, and 0 when it is not there")
    default void partitions() {
        String topic = bench().topic(5);
        try (BrokerClient client = bench().connect()) {
            assertThat(client.partitions(topic)).isEqualTo(5);
            assertThat(client.partitions(bench().freshName())).isZero();
        }
    }

    @Test
    @DisplayName("adding partitions works when it is declared and is refused by that name when it is not")
    default void addPartitions() {
        String topic = bench().filledTopic(1, 10);
        try (BrokerClient client = bench().connect()) {
            if (bench().can(Capability.ADDS_PARTITIONS)) {
                client.addPartitions(topic, 3);
                Await.until(bench().bound(), "there are 3 partitions", () -> client.partitions(topic) == 3);
            } else {
                assertThatThrownBy(() -> client.addPartitions(topic, 3))
                        .isInstanceOf(UserException.class)
                        .hasMessageContaining("ADDS_PARTITIONS");
                assertThat(client.partitions(topic)).isEqualTo(1);
            }
        }
        assertThat(bench().read(topic, 10)).hasSize(10);
    }

    @Test
    @DisplayName("compression works when it is declared and the option is refused when it is not")
    default void compression() {
        var options = bench().proxiedOptions().with("compression", "lz4");
        if (bench().can(Capability.COMPRESSES)) {
            String topic = bench().topic(1);
            List<Message> messages = Message.filled(3, 0, COMPRESSED);
            long bytes = messages.stream()
                    .mapToLong(message -> message.payload().length)
                    .sum();
            long forwardedBefore = bench().proxy().forwardedBytes();
            bench().publish(options, topic, messages);
            assertThat(bench().proxy().forwardedBytes() - forwardedBefore)
                    .as("bytes that went by the proxy for %d of payloads that are nearly the same", bytes)
                    .isBetween(1L, bytes / 2);
            assertThat(Stored.texts(bench().read(topic, COMPRESSED)))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(messages));
        } else {
            assertThatThrownBy(() -> bench().broker().connect(options).close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("compression");
        }
    }

    @Test
    @DisplayName("the end positions name every partition and stand behind its newest record")
    default void endPositions() {
        String topic = bench().filledTopic(3, 100);
        Map<Integer, Position> ends;
        try (BrokerClient client = bench().connect()) {
            ends = client.endPositions(topic);
        }
        assertThat(ends).containsOnlyKeys(0, 1, 2);
        bench().publish(topic, Message.numbered(10, 100, 50));
        assertThat(Stored.texts(bench().read(topic, new StartFrom.At(ends), 50)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 100, 50)));
    }

    @Test
    @DisplayName("the lag of a reader group that never confirmed is everything there is")
    default void lagOfUnknownGroup() {
        String topic = bench().filledTopic(2, 123);
        try (BrokerClient client = bench().connect()) {
            assertThat(client.lag(topic, "never-seen-" + topic)).isEqualTo(123);
        }
    }

    @Test
    @DisplayName("the effective settings are read back from the live server")
    default void effectiveSettings() {
        String topic = bench().topic(1);
        try (BrokerClient client = bench().connect()) {
            EffectiveSettings settings = client.effectiveSettings(topic);
            assertThat(settings.serverVersion()).isNotBlank();
            assertThat(settings.replicas()).isEqualTo(1);
            assertThat(settings.acks()).isNotBlank();
            assertThat(settings.fsync()).isNotBlank();
            assertThat(settings.others()).isNotEmpty();
        }
    }
}
