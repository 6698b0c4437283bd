package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Offers and receipts. */
interface PublishChapter extends Chapter {
    /** An offer that takes longer has waited for something. */
    Duration OFFER_BOUND = Duration.ofMillis(500);

    @Test
    @DisplayName("the first offer after opening is accepted")
    default void firstOffer() {
        String topic = bench().topic(4);
        try (BrokerClient client = bench().connect();
                Publisher publisher = client.publisher(topic, "first")) {
            assertThat(new Receipts().offer(publisher, Message.numbered(1, 0, 1).get(0)))
                    .isTrue();
            assertThat(publisher.flush(bench().bound())).isTrue();
        }
    }

    @Test
    @DisplayName("every accepted offer gets exactly one receipt and is stored once")
    default void exactlyOneReceipt() {
        String topic = bench().topic(3);
        List<Message> messages = Message.numbered(20, 0, 5_000);
        Receipts receipts = bench().publish(topic, messages);
        assertThat(receipts.notExactlyOne()).isZero();
        assertThat(receipts.outcomes()).hasSize(5_000);
        assertThat(Stored.texts(bench().read(topic, 5_000)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(messages));
    }

    @Test
    @DisplayName("reading at a receipt's position gives that payload")
    default void receiptsTellTheTruth() {
        String topic = bench().topic(3);
        Receipts receipts = bench().publish(topic, Message.numbered(20, 0, 600));
        List<Receipts.Outcome> stored = receipts.stored();
        for (int i : new int[] {0, 1, 299, 598, 599}) {
            Receipts.Outcome outcome = stored.get(i);
            Map<Integer, Position> positions = bench().endPositions(topic);
            positions.put(outcome.partition(), outcome.position());
            List<Stored> read = bench().read(topic, new StartFrom.At(positions), 1);
            assertThat(read).as("what stands at %s", outcome).isNotEmpty();
            Stored first = read.get(0);
            assertThat(first.text()).isEqualTo(outcome.message().text());
            assertThat(first.position()).isEqualTo(outcome.position());
        }
    }

    @Test
    @DisplayName("payloads of one key are stored in the order of their offers")
    default void orderOfOneKey() {
        String topic = bench().topic(3);
        List<Message> messages = Message.numbered(7, 0, 3_000);
        bench().publish(topic, messages);
        Map<String, List<String>> offered = new TreeMap<>();
        messages.forEach(message ->
                offered.computeIfAbsent(message.key(), k -> new ArrayList<>()).add(message.text()));
        Map<String, List<String>> stored = new TreeMap<>();
        Stored.texts(bench().read(topic, 3_000))
                .forEach(text -> stored.computeIfAbsent(text.substring(0, text.indexOf('/')), k -> new ArrayList<>())
                        .add(text));
        assertThat(stored).isEqualTo(offered);
    }

    @Test
    @DisplayName("a key belongs to the same partition on every broker")
    default void partitionOfKey() {
        String topic = bench().topic(4);
        Receipts receipts = bench().publish(topic, Message.numbered(50, 0, 200));
        assertThat(receipts.stored()).allSatisfy(outcome -> assertThat(outcome.partition())
                .isEqualTo(KeyPartitions.of(outcome.message().keyBytes(), 4)));
        assertThat(bench().read(topic, 200)).allSatisfy(record -> {
            String key = record.text().substring(0, record.text().indexOf('/'));
            assertThat(record.partition()).isEqualTo(KeyPartitions.of(key.getBytes(), 4));
        });
    }

    @Test
    @DisplayName("a payload of 2 MB that is too large is refused and the next ones pass")
    default void tooLarge() {
        String topic = bench().topic(1);
        List<Message> small = Message.numbered(1, 0, 2);
        try (BrokerClient client = bench().connect();
                Publisher publisher = client.publisher(topic, "large")) {
            int bytes = Math.max(2 << 20, publisher.largestPayloadBytes() + 1);
            Receipts receipts = new Receipts();
            assertThat(receipts.offer(publisher, small.get(0))).isTrue();
            Message large = new Message("device-0", new byte[bytes], 1);
            Await.until(bench().bound(), "the large offer was taken", () -> receipts.offer(publisher, large));
            Await.until(bench().bound(), "the next was taken", () -> receipts.offer(publisher, small.get(1)));
            assertThat(publisher.flush(bench().bound())).isTrue();
            assertThat(receipts.stored()).hasSize(2);
            assertThat(receipts.outcomes())
                    .filteredOn(outcome -> outcome.kind() == Receipts.Kind.REFUSED)
                    .singleElement()
                    .satisfies(outcome -> assertThat(outcome.sentence()).isNotBlank());
            assertThat(receipts.notExactlyOne()).isZero();
        }
        assertThat(Stored.texts(bench().read(topic, 2))).isEqualTo(Message.texts(small));
    }

    @Test
    @DisplayName("empty payloads and payloads of 900 KB come through byte for byte")
    default void emptyAndLarge() {
        String topic = bench().topic(1);
        byte[] large = new byte[900 * 1000];
        new Random(7).nextBytes(large);
        List<byte[]> payloads = List.of(new byte[0], large, new byte[] {0}, new byte[0], large);
        List<Message> messages =
                payloads.stream().map(payload -> new Message("k", payload, 5)).toList();
        bench().publish(topic, messages);
        List<Stored> read = bench().read(topic, 5);
        assertThat(read).hasSize(5);
        for (int i = 0; i < 5; i++) {
            assertThat(Arrays.equals(read.get(i).payload(), payloads.get(i)))
                    .as("payload %d", i)
                    .isTrue();
        }
    }

    @Test
    @DisplayName("the record's timestamp is when the broker took it, whatever the event time")
    default void timestamps() {
        String topic = bench().topic(2);
        long before = System.currentTimeMillis();
        bench().publish(topic, Message.numbered(5, 0, 50));
        long after = System.currentTimeMillis();
        // The broker may round to a tick of its own clock.
        assertThat(bench().read(topic, 50)).hasSize(50).allSatisfy(record -> assertThat(record.timestamp())
                .isBetween(before - 100, after + 100));
    }

    @Test
    @DisplayName("a payload whose event time is before 1970 is stored like any other")
    default void beforeTheEpoch() {
        String topic = bench().topic(1);
        byte[] payload = {1};
        bench().publish(topic, List.of(new Message("a", payload, -62_135_596_800_000L), new Message("a", payload, -1)));
        assertThat(bench().read(topic, 2)).hasSize(2);
    }

    @Test
    @DisplayName("a publisher for a topic that is not there is refused with the topic's name")
    default void missingTopic() {
        String topic = bench().freshName();
        try (BrokerClient client = bench().connect()) {
            assertThatThrownBy(() -> client.publisher(topic, "nobody").close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(topic);
        }
    }

    @Test
    @DisplayName("a publisher that is opened again under its name stores everything it accepts")
    default void openedAgain() {
        String topic = bench().topic(2);
        for (int round = 0; round < 3; round++) {
            bench().publish(topic, Message.numbered(4, round * 100, 100));
        }
        assertThat(Stored.texts(bench().read(topic, 300)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(4, 0, 300)));
    }

    @Test
    @DisplayName("two publishers of different names do not disturb each other")
    default void twoPublishers() {
        String topic = bench().topic(2);
        try (BrokerClient client = bench().connect();
                Publisher one = client.publisher(topic, "one");
                Publisher other = client.publisher(topic, "other")) {
            for (int i = 0; i < 10; i++) {
                bench().offerAll(one, Message.numbered(4, i * 200, 100));
                bench().offerAll(other, Message.numbered(4, i * 200 + 100, 100));
            }
            assertThat(one.flush(bench().bound())).isTrue();
            assertThat(other.flush(bench().bound())).isTrue();
        }
        assertThat(Stored.texts(bench().read(topic, 2_000)))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(4, 0, 2_000)));
    }

    @Test
    @DisplayName("while the broker is silent an offer never blocks, a full buffer answers false and nothing is lost")
    default void silentBroker() {
        String topic = bench().topic(2);
        try (BrokerClient client = bench().connect();
                Publisher publisher = client.publisher(topic, "silent")) {
            Receipts receipts = bench().offerAll(publisher, Message.numbered(4, 0, 10));
            assertThat(publisher.flush(bench().bound())).isTrue();
            bench().local().pause();
            LongestOffer longest = new LongestOffer();
            boolean full = false;
            try {
                byte[] payload = new byte[100_000];
                for (int i = 0; i < 20_000 && !full; i++) {
                    Message message = new Message("device-" + i % 4, payload, i);
                    full = !longest.timed(() -> receipts.offer(publisher, message));
                }
                long begin = System.nanoTime();
                assertThat(publisher.flush(Duration.ofMillis(300))).isFalse();
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
            } finally {
                bench().local().resume();
            }
            assertThat(full).as("the buffer of a publisher is bounded").isTrue();
            assertThat(longest.time()).as("longest offer").isLessThan(OFFER_BOUND);
            assertThat(publisher.flush(bench().bound())).isTrue();
            assertThat(receipts.notExactlyOne()).isZero();
            assertThat(receipts.stored()).hasSize(receipts.acceptedCount());
            assertThat(bench().read(topic, receipts.acceptedCount())).hasSize(receipts.acceptedCount());
        }
    }

    @Test
    @DisplayName(
            "closing a publisher of a silent broker says of every accepted offer within 10 s that its end is unknown")
    default void closeWhileSilent() {
        String topic = bench().topic(1);
        try (BrokerClient client = bench().connect()) {
            Publisher publisher = client.publisher(topic, "closing");
            Receipts receipts = bench().offerAll(publisher, Message.numbered(1, 0, 1));
            assertThat(publisher.flush(bench().bound())).isTrue();
            bench().local().pause();
            try {
                Message.numbered(1, 1, 20).forEach(message -> receipts.offer(publisher, message));
                long begin = System.nanoTime();
                publisher.close();
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(12));
                assertThat(receipts.acceptedCount()).isGreaterThan(1);
                assertThat(receipts.notExactlyOne()).isZero();
                assertThat(receipts.outcomes().subList(1, receipts.acceptedCount()))
                        .as("receipts of offers that nobody has answered")
                        .allMatch(outcome -> outcome.kind() == Receipts.Kind.UNKNOWN);
            } finally {
                bench().local().resume();
            }
        }
    }
}
