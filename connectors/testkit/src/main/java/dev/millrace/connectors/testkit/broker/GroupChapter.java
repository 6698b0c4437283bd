package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reader groups outside Flink: several on one topic, and when the broker knows how far each has come. */
interface GroupChapter extends Chapter {

    /** What one group has read, and how far. */
    final class Progress {
        private final List<Stored> records = new ArrayList<>();
        private final Map<Integer, Position> last = new HashMap<>();

        private void poll(GroupReader reader) {
            for (PayloadChunk chunk : reader.poll()) {
                // In arrays of their own, as whoever keeps them has them.
                ChunkRules.check(chunk.copy(), last);
                records.addAll(Stored.of(chunk));
            }
        }
    }

    private Progress read(GroupReader reader, int count) {
        Progress progress = new Progress();
        Await.until(bench().bound(), count + " records were read", () -> {
            progress.poll(reader);
            return progress.records.size() >= count;
        });
        progress.poll(reader);
        assertThat(progress.records).hasSize(count);
        return progress;
    }

    @Test
    @DisplayName("every reader group of a topic reads everything once")
    default void groupsReadEverything() {
        String topic = bench().filledTopic(3, 1_000);
        List<String> all = Message.texts(Message.numbered(10, 0, 1_000));
        try (BrokerClient client = bench().connect();
                GroupReader one = client.groupReader(topic, "one-" + topic, new StartFrom.Earliest());
                GroupReader other = client.groupReader(topic, "other-" + topic, new StartFrom.Earliest())) {
            assertThat(Stored.texts(read(one, 1_000).records)).containsExactlyInAnyOrderElementsOf(all);
            assertThat(Stored.texts(read(other, 1_000).records)).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    @DisplayName("a reader group's positions are in its lag when their commit returns, and in no other group's")
    default void commitIsKnown() {
        String topic = bench().filledTopic(2, 300);
        String group = "group-" + topic;
        try (BrokerClient client = bench().connect();
                GroupReader reader = client.groupReader(topic, group, new StartFrom.Earliest())) {
            Progress progress = read(reader, 300);
            reader.commit(progress.last);
            assertThat(client.lag(topic, group)).isZero();
            assertThat(client.lag(topic, "never-seen-" + topic)).isEqualTo(300);
            bench().publish(topic, Message.numbered(10, 300, 25));
            assertThat(client.lag(topic, group)).isEqualTo(25);
        }
    }

    @Test
    @DisplayName("what is behind a committed position is lag, and so is a partition without one, whole")
    default void lagIsWhatIsBehind() {
        String topic = bench().filledTopic(2, 300);
        String group = "group-" + topic;
        try (BrokerClient client = bench().connect();
                GroupReader reader = client.groupReader(topic, group, new StartFrom.Earliest())) {
            Progress progress = read(reader, 300);
            long ofSecond = progress.records.stream()
                    .filter(record -> record.partition() == 1)
                    .count();
            reader.commit(Map.of(0, progress.last.get(0)));
            assertThat(client.lag(topic, group)).isEqualTo(ofSecond);
            bench().publish(topic, Message.numbered(10, 300, 25));
            reader.commit(progress.last);
            assertThat(client.lag(topic, group)).isEqualTo(25);
        }
    }

    @Test
    @DisplayName("positions that a reader group commits later are in its lag soon, and the latest ones count")
    default void commitLater() {
        String topic = bench().filledTopic(2, 100);
        String group = "group-" + topic;
        try (BrokerClient client = bench().connect();
                GroupReader reader = client.groupReader(topic, group, new StartFrom.Earliest())) {
            reader.commitLater(read(reader, 100).last);
            bench().publish(topic, Message.numbered(10, 100, 50));
            reader.commitLater(read(reader, 50).last);
            Await.until(bench().bound(), "nothing is behind", () -> client.lag(topic, group) == 0);
        }
    }

    @Test
    @DisplayName(
            "a reader group from the end reads only what comes after it was opened, one at a position begins with it")
    default void groupStarts() {
        String topic = bench().filledTopic(1, 100);
        Stored middle = bench().read(topic, 100).get(40);
        try (BrokerClient client = bench().connect();
                GroupReader latest = client.groupReader(topic, "latest-" + topic, new StartFrom.Latest());
                GroupReader at =
                        client.groupReader(topic, "at-" + topic, new StartFrom.At(Map.of(0, middle.position())))) {
            bench().publish(topic, Message.numbered(10, 100, 30));
            assertThat(Stored.texts(read(latest, 30).records)).isEqualTo(Message.texts(Message.numbered(10, 100, 30)));
            assertThat(Stored.texts(read(at, 90).records)).isEqualTo(Message.texts(Message.numbered(10, 40, 90)));
        }
    }

    @Test
    @DisplayName("a reader group of a topic that is not there is refused with the topic's name")
    default void groupOfMissingTopic() {
        String topic = bench().freshName();
        try (BrokerClient client = bench().connect()) {
            assertThatThrownBy(() -> client.groupReader(topic, "group-" + topic, new StartFrom.Earliest())
                            .close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(topic);
        }
    }
}
