package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reading back outside Flink, and what every chunk keeps. */
interface SubscribeChapter extends Chapter {

    @Test
    @DisplayName("a subscriber from the end does not get the last record again, also when that was sent alone")
    default void behindALoneRecord() {
        String topic = bench().topic(1);
        bench().publish(topic, Message.numbered(1, 0, 1));
        StartFrom.At end = new StartFrom.At(bench().endPositions(topic));
        List<Message> next = Message.numbered(1, 1, 1);
        bench().publish(topic, next);
        assertThat(Stored.texts(bench().read(topic, end, 1))).isEqualTo(Message.texts(next));
    }

    @Test
    @DisplayName("a subscriber from the earliest record reads everything once")
    default void earliest() {
        String topic = bench().filledTopic(3, 1_000);
        assertThat(Stored.texts(bench().read(topic, new StartFrom.Earliest(), 1_000)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 1_000)));
    }

    @Test
    @DisplayName("a subscriber from the latest record reads only what comes after it was opened")
    default void latest() {
        String topic = bench().filledTopic(2, 100);
        try (BrokerClient client = bench().connect();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Latest())) {
            bench().publish(topic, Message.numbered(10, 100, 30));
            assertThat(Stored.texts(bench().read(subscriber, 30)))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 100, 30)));
        }
    }

    @Test
    @DisplayName("a subscriber at a position begins with that record; partitions not named begin at their oldest")
    default void atPosition() {
        String topic = bench().filledTopic(2, 200);
        Map<Integer, List<Stored>> all =
                bench().read(topic, 200).stream().collect(Collectors.groupingBy(Stored::partition));
        Stored middle = all.get(0).get(all.get(0).size() / 2);
        Map<Integer, List<Stored>> read =
                bench()
                        .read(
                                topic,
                                new StartFrom.At(Map.of(0, middle.position())),
                                200 - all.get(0).size() / 2)
                        .stream()
                        .collect(Collectors.groupingBy(Stored::partition));
        assertThat(Stored.texts(read.get(0)))
                .isEqualTo(Stored.texts(
                        all.get(0).subList(all.get(0).size() / 2, all.get(0).size())));
        assertThat(Stored.texts(read.get(1))).isEqualTo(Stored.texts(all.get(1)));
    }

    @Test
    @DisplayName("a poll answers with an empty list when nothing came within its bound")
    default void emptyPoll() {
        String topic = bench().topic(1);
        try (BrokerClient client = bench().connect();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            long begin = System.nanoTime();
            List<PayloadChunk> chunks = subscriber.poll(Duration.ofMillis(200));
            assertThat(Stored.of(chunks)).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    @DisplayName("a chunk holds one partition, its ends and positions ascend, and no poll gives two of one partition")
    default void chunkInvariants() {
        String topic = bench().filledTopic(3, 2_000);
        Map<Integer, Position> last = new HashMap<>();
        int records = 0;
        try (BrokerClient client = bench().connect();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            long deadline = System.nanoTime() + bench().bound().toNanos();
            while (records < 2_000 && System.nanoTime() < deadline) {
                List<PayloadChunk> chunks = subscriber.poll(Duration.ofMillis(500));
                List<Integer> partitions = new ArrayList<>();
                for (PayloadChunk chunk : chunks) {
                    ChunkRules.check(chunk, last);
                    partitions.add(chunk.partition());
                    records += chunk.count();
                }
                assertThat(partitions).doesNotHaveDuplicates();
            }
        }
        assertThat(records).isEqualTo(2_000);
    }

    @Test
    @DisplayName("a subscriber confirms no end while records stand behind it")
    default void subscribersEndIsTheEnd() {
        String topic = bench().topic(1);
        bench().publish(topic, Message.backlog());
        List<PayloadChunk> chunks = new ArrayList<>();
        try (BrokerClient client = bench().connect();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            Await.until(bench().bound(), "all is read", () -> {
                chunks.addAll(subscriber.poll(Duration.ofMillis(500)));
                return chunks.stream().mapToInt(PayloadChunk::count).sum() >= Message.BACKLOG;
            });
        }
        ChunkRules.checkEnd(chunks, Message.BACKLOG);
    }

    @Test
    @DisplayName("a subscriber of a topic that is not there is refused with the topic's name")
    default void missingTopicToRead() {
        String topic = bench().freshName();
        try (BrokerClient client = bench().connect()) {
            assertThatThrownBy(() ->
                            client.subscriber(topic, new StartFrom.Earliest()).close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(topic);
        }
    }

    @Test
    @DisplayName("two subscribers read the same records independently")
    default void twoSubscribers() {
        String topic = bench().filledTopic(2, 100);
        try (BrokerClient client = bench().connect();
                Subscriber one = client.subscriber(topic, new StartFrom.Earliest());
                Subscriber other = client.subscriber(topic, new StartFrom.Earliest())) {
            assertThat(bench().read(one, 100)).hasSize(100);
            assertThat(bench().read(other, 100)).hasSize(100);
        }
    }
}
