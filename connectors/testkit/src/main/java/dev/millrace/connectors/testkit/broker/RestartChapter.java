package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.connector.source.Source;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checkpoints: what they hold, what a restart reads, what the broker learns of them. */
interface RestartChapter extends Chapter {
    /** Retention must act long before this much was written. */
    int RETENTION_ROUNDS = 40;

    int READ_AGAIN = 5;

    long RETAINED_BYTES = 2 << 20;
    int OVERFLOWING_BYTES = 500_000;

    private Source<PayloadChunk, ?, ?> source(String topic, StopAt stop) {
        return bench().broker()
                .source(
                        bench().options(),
                        new SourceSpec(topic, "group-" + topic, new StartFrom.Earliest(), stop, Duration.ZERO));
    }

    @Test
    @DisplayName("a restart from a checkpoint neither loses nor repeats")
    default void restart() {
        String topic = bench().topic(3);
        List<Stored> read = new ArrayList<>();
        SourceHarness.Snapshot snapshot = null;
        for (int round = 0; round < 4; round++) {
            bench().publish(topic, Message.numbered(10, round * 300, 300));
            try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), snapshot)) {
                source.untilRecords(100);
                source.complete(source.checkpoint());
                source.untilRecords(300);
                snapshot = source.checkpoint();
                source.complete(snapshot);
                read.addAll(source.records());
                source.run(Duration.ofMillis(200));
                assertThat(source.records()).hasSize(300);
            }
        }
        assertThat(Stored.texts(read))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 1_200)));
    }

    @Test
    @DisplayName("what was read after the checkpoint is read again after a restart, in the same order")
    default void rewinds() {
        String topic = bench().filledTopic(1, 500);
        SourceHarness.Snapshot snapshot;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(500);
            snapshot = source.checkpoint();
            bench().publish(topic, Message.numbered(10, 500, 100));
            source.untilRecords(600);
        }
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), snapshot)) {
            source.untilRecords(100);
            assertThat(Stored.texts(source.records())).isEqualTo(Message.texts(Message.numbered(10, 500, 100)));
        }
    }

    @Test
    @DisplayName("a checkpoint of another topic is refused: its positions mean nothing in this one")
    default void ofAnotherTopic() {
        String topic = bench().filledTopic(2, 200);
        String other = bench().filledTopic(2, 200);
        SourceHarness.Snapshot snapshot;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(200);
            snapshot = source.checkpoint();
        }
        assertThatThrownBy(() -> bench().open(source(other, StopAt.NEVER), snapshot))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'" + topic + "'")
                .hasMessageContaining("'" + other + "'");
    }

    @Test
    @DisplayName("the position in a checkpoint is the end of the last chunk that was emitted")
    default void positionIsEndOfChunk() {
        String topic = bench().filledTopic(1, 300);
        SourceHarness.Snapshot snapshot;
        int emitted;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(1);
            emitted = source.records().size();
            snapshot = source.checkpoint();
        }
        bench().publish(topic, Message.numbered(10, 300, 1));
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), snapshot)) {
            source.untilRecords(301 - emitted);
            assertThat(Stored.texts(source.records()))
                    .isEqualTo(Message.texts(Message.numbered(10, emitted, 301 - emitted)));
        }
    }

    @Test
    @DisplayName("a checkpoint before the first chunk holds every split at its start")
    default void checkpointBeforeFirstChunk() {
        String topic = bench().filledTopic(2, 100);
        SourceHarness.Snapshot snapshot;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            snapshot = source.checkpoint();
        }
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), snapshot)) {
            source.untilRecords(100);
            source.run(Duration.ofMillis(300));
            assertThat(source.records()).hasSize(100);
        }
    }

    @Test
    @DisplayName("a bounded source that is restarted still ends where it was to end")
    default void boundedRestart() {
        String topic = bench().filledTopic(2, 400);
        SourceHarness.Snapshot snapshot;
        List<Stored> read = new ArrayList<>();
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.END))) {
            source.untilRecords(1);
            snapshot = source.checkpoint();
            read.addAll(source.records());
        }
        bench().publish(topic, Message.numbered(10, 400, 100));
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.END), snapshot)) {
            source.untilEnded();
            read.addAll(source.records());
        }
        assertThat(Stored.texts(read)).containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 400)));
    }

    @Test
    @DisplayName("the ids of splits are the same after a restart and on a second source")
    default void stableSplitIds() {
        String topic = bench().filledTopic(3, 30);
        SourceHarness.Snapshot first;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(30);
            first = source.checkpoint();
        }
        assertThat(first.splitIds()).hasSize(3).doesNotHaveDuplicates();
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), first)) {
            source.step();
            assertThat(source.checkpoint().splitIds()).isEqualTo(first.splitIds());
        }
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(30);
            assertThat(source.checkpoint().splitIds()).isEqualTo(first.splitIds());
        }
    }

    @Test
    @DisplayName("the lag falls to what is behind the last completed checkpoint")
    default void lagAfterCheckpoint() {
        String topic = bench().filledTopic(2, 300);
        String group = "group-" + topic;
        try (BrokerClient client = bench().connect();
                SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(300);
            source.complete(source.checkpoint());
            source.until("nothing is behind", harness -> client.lag(topic, group) == 0);
            bench().publish(topic, Message.numbered(10, 300, 25));
            assertThat(client.lag(topic, group)).isEqualTo(25);
        }
    }

    @Test
    @DisplayName(
            "a reader group that was removed has everything before it again, and one that is not there is no error")
    default void deleteReaderGroup() {
        String topic = bench().filledTopic(2, 100);
        String group = "group-" + topic;
        try (BrokerClient client = bench().connect()) {
            try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
                source.untilRecords(100);
                source.complete(source.checkpoint());
                source.until("nothing is behind", harness -> client.lag(topic, group) == 0);
            }
            client.deleteReaderGroup(topic, group);
            assertThat(client.lag(topic, group)).isEqualTo(100);
            client.deleteReaderGroup(topic, "never-seen-" + topic);
        }
        assertThat(bench().read(topic, 100)).hasSize(100);
    }

    @Test
    @DisplayName("a checkpoint is taken and completed without waiting for a broker that is silent")
    default void checkpointWhileSilent() {
        String topic = bench().filledTopic(1, 10);
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(10);
            bench().local().pause();
            try {
                source.run(Duration.ofMillis(500));
                long begin = System.nanoTime();
                source.complete(source.checkpoint());
                source.step();
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
            } finally {
                bench().local().resume();
            }
        }
    }

    @Test
    @DisplayName(
            "retention by bytes drops the oldest records and keeps at least what was promised, and lag is what is left")
    default void retention() {
        String topic = retainingTopic();
        Position marker = overflow(topic);
        assertThat(bench().oldest(topic)).isGreaterThan(marker);
        assertThat((left(topic) + 1) * OVERFLOWING_BYTES).isGreaterThanOrEqualTo(RETAINED_BYTES);
        try (BrokerClient client = bench().connect()) {
            // More may go in between.
            Await.until(
                    bench().bound(), "lag is what is left", () -> client.lag(topic, "never-" + topic) == left(topic));
        }
    }

    /** Retention may go on, and take from under the reader what it was about to read: then it is read again. */
    private long left(String topic) {
        for (int attempt = 1; ; attempt++) {
            try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.END))) {
                source.untilEnded();
                return source.recordCount();
            } catch (RuntimeException e) {
                boolean isGone =
                        Causes.sentences(e).stream().anyMatch(sentence -> sentence.contains("no longer there"));
                if (!isGone || attempt == READ_AGAIN) {
                    throw e;
                }
            }
        }
    }

    @Test
    @DisplayName("a checkpointed position that retention has removed fails the source with a sentence, never skips")
    default void removedPosition() {
        String topic = retainingTopic();
        SourceHarness.Snapshot snapshot;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(1);
            snapshot = source.checkpoint();
        }
        overflow(topic);
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), snapshot)) {
            assertThat(failure(source))
                    .anySatisfy(sentence -> assertThat(sentence).contains(topic).contains("no longer there"));
            assertThat(source.records()).isEmpty();
        }
    }

    @Test
    @DisplayName("a topic that was made anew is not taken for the checkpoint's of that name, however far it has grown")
    default void madeAnew() {
        String topic = bench().filledTopic(1, 100);
        SourceHarness.Snapshot snapshot;
        try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER))) {
            source.untilRecords(100);
            // What it knows of the topic it may ask for beside.
            source.run(Duration.ofSeconds(2));
            snapshot = source.checkpoint();
            source.complete(snapshot);
        }
        try (BrokerClient client = bench().connect()) {
            client.deleteTopic(topic);
            client.createTopic(bench().spec(topic, 1));
        }
        bench().publish(topic, Message.numbered(10, 0, 300));
        for (int restart = 0; restart < 2; restart++) {
            try (SourceHarness<?, ?> source = bench().open(source(topic, StopAt.NEVER), snapshot)) {
                assertThat(failure(source))
                        .anySatisfy(
                                sentence -> assertThat(sentence).contains(topic).contains("no longer there"));
            }
        }
    }

    /** The sentences of what a step of the source fails with, sooner or later. */
    private List<String> failure(SourceHarness<?, ?> source) {
        List<Throwable> failures = new ArrayList<>();
        Await.until(bench().bound(), "the source failed", () -> {
            try {
                source.step();
            } catch (RuntimeException e) {
                failures.add(e);
            }
            return !failures.isEmpty();
        });
        return Causes.sentences(failures.get(0));
    }

    /** One record, in a topic of one partition that keeps 2 MB. */
    private String retainingTopic() {
        String topic = bench().freshName();
        try (BrokerClient client = bench().connect()) {
            client.createTopic(new TopicSpec(topic, 1, 1, RETAINED_BYTES, Duration.ofHours(24)));
        }
        bench().publish(topic, Message.numbered(1, 0, 1));
        return topic;
    }

    /** Writes a marker behind all there is, then until that is gone; gives the marker's position. */
    private Position overflow(String topic) {
        Position marker = bench().publish(topic, Message.numbered(1, 1, 1))
                .stored()
                .get(0)
                .position();
        byte[] payload = new byte[OVERFLOWING_BYTES];
        // Zeros would be next to nothing on a broker that compresses.
        new Random(1).nextBytes(payload);
        List<Message> round = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            round.add(new Message("k", payload, System.currentTimeMillis()));
        }
        int rounds = 0;
        boolean gone = false;
        long deadline = System.nanoTime() + bench().retentionBound().toNanos();
        while (!gone && (rounds < RETENTION_ROUNDS || System.nanoTime() < deadline)) {
            if (rounds < RETENTION_ROUNDS) {
                bench().publish(topic, round);
                rounds++;
            }
            gone = bench().oldest(topic).compareTo(marker) > 0;
        }
        assertThat(gone)
                .as("%s is gone after %d rounds of 4 MB", marker, rounds)
                .isTrue();
        return marker;
    }
}
