package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.Source;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** Faults between the server and its clients: connections that end, silence, readers that are killed in mid-batch. */
interface FaultChapter extends Chapter {
    int BATCH = 1_000;
    int CUTS = 5;
    int KEYS = 40;
    long LEAST_FORWARDED_BYTES = 100_000;
    /** A client gives up after 30 s, and takes its time to stop. */
    Duration MUTE_BOUND = Duration.ofSeconds(40);

    private Source<PayloadChunk, ?, ?> source(Options options, String topic) {
        return source(options, topic, new StartFrom.Earliest(), StopAt.NEVER);
    }

    private Source<PayloadChunk, ?, ?> source(Options options, String topic, StartFrom from, StopAt stop) {
        return bench().broker()
                .source(options, new SourceSpec(topic, "group-" + topic, from, stop, Duration.ofSeconds(1)));
    }

    /** Offers all, each again while the buffer is full, while the source goes on reading. */
    private void offerWhileReading(
            Publisher publisher, Receipts receipts, List<Message> messages, SourceHarness<?, ?> source) {
        int offered = 0;
        long deadline = System.nanoTime() + bench().bound().toNanos();
        while (offered < messages.size()) {
            if (receipts.offer(publisher, messages.get(offered))) {
                offered++;
            } else {
                assertThat(System.nanoTime())
                        .as("%d of %d offers were accepted", offered, messages.size())
                        .isLessThan(deadline);
                source.step();
            }
            if (offered % 200 == 0) {
                source.step();
            }
        }
    }

    @Test
    @DisplayName("connections that are cut while readings are published lose none, double none and keep their order")
    default void cutWhilePublishing() {
        String topic = bench().topic(3);
        List<Message> messages = filled(0, CUTS * 4_000);
        Receipts receipts = new Receipts();
        long forwardedBefore = bench().proxy().forwardedBytes();
        try (BrokerClient client = bench().broker().connect(bench().proxiedOptions());
                Publisher publisher = client.publisher(topic, "cut");
                SourceHarness<?, ?> source = bench().open(source(bench().proxiedOptions(), topic))) {
            for (int cut = 1; cut <= CUTS; cut++) {
                int sent = cut * 4_000;
                offerWhileReading(publisher, receipts, messages.subList(sent - 4_000, sent), source);
                // Publisher and source at least: what they had under way is cut. After a cut each comes back in its
                // time.
                source.until(
                        "publisher and source are connected",
                        harness -> bench().proxy().connections() >= 2);
                bench().proxy().cut();
                if (cut == 2) {
                    bench().proxy().refuse(true);
                    source.run(Duration.ofMillis(1_500));
                    bench().proxy().refuse(false);
                }
                // An answer that the cut has taken away may be missed only when its time is up, after half a minute.
                source.untilRecords(sent, bench().bound().multipliedBy(3));
            }
            assertThat(publisher.flush(bench().bound())).isTrue();
            source.run(Duration.ofMillis(500));
            Deliveries.exactlyOnceInOrder(source.records(), messages);
        } finally {
            bench().proxy().refuse(false);
        }
        assertThat(bench().proxy().forwardedBytes() - forwardedBefore)
                .as("bytes that went by the proxy, compressed as they may be")
                .isGreaterThan(LEAST_FORWARDED_BYTES);
        assertThat(receipts.notExactlyOne()).isZero();
        assertThat(receipts.stored()).hasSameSizeAs(messages);
        // What the source dropped as double would not be double there.
        Deliveries.exactlyOnceInOrder(bench().read(topic, messages.size()), messages);
    }

    @Test
    @DisplayName("connections that are cut while a backlog is read lose nothing, repeat nothing and keep the order")
    default void cutWhileReading() {
        String topic = bench().topic(3);
        List<Message> messages = filled(0, CUTS * 10_000);
        bench().publish(topic, messages);
        try (SourceHarness<?, ?> source = bench().open(source(bench().proxiedOptions(), topic))) {
            int cuts = 0;
            while (source.recordCount() < messages.size()) {
                source.untilRecords(Math.min(messages.size(), source.recordCount() + 8_000));
                // What is fetched and not emitted yet stays; what is under way is cut.
                cuts += bench().proxy().cut() > 0 ? 1 : 0;
            }
            source.run(Duration.ofMillis(500));
            assertThat(cuts).as("cuts that found a connection").isPositive();
            bench().publish(topic, filled(messages.size(), 1_000));
            source.untilRecords(messages.size() + 1_000);
            source.run(Duration.ofMillis(500));
            Deliveries.exactlyOnceInOrder(source.records(), filled(0, messages.size() + 1_000));
        }
    }

    @Test
    @Timeout(value = 240, unit = TimeUnit.SECONDS)
    @DisplayName("a long silence of the broker, and all goes on: none lost, none doubled, no client had given up")
    default void longSilence() {
        String topic = bench().topic(3);
        Receipts receipts = new Receipts();
        try (BrokerClient client = bench().connect();
                Publisher publisher = client.publisher(topic, "silence");
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest());
                SourceHarness<?, ?> source = bench().open(source(bench().options(), topic))) {
            offerWhileReading(publisher, receipts, filled(0, 4_000), source);
            source.untilRecords(1);
            source.complete(source.checkpoint());
            int sent = 4_000;
            int during = 0;
            bench().local().pause();
            try {
                long end = System.nanoTime() + bench().silence().toNanos();
                while (System.nanoTime() < end) {
                    Message next = filled(sent, 1).get(0);
                    sent += receipts.offer(publisher, next) ? 1 : 0;
                    source.step();
                    if (++during % 500 == 0) {
                        source.complete(source.checkpoint());
                    }
                }
            } finally {
                bench().local().resume();
            }
            assertThat(sent).as("offers were accepted in the silence, too").isGreaterThan(4_000);
            List<Message> messages = filled(0, sent + 1_000);
            offerWhileReading(publisher, receipts, messages.subList(sent, sent + 1_000), source);
            assertThat(publisher.flush(bench().bound().multipliedBy(2))).isTrue();
            source.untilRecords(messages.size());
            source.run(Duration.ofMillis(500));
            Deliveries.exactlyOnceInOrder(source.records(), messages);
            assertThat(receipts.notExactlyOne()).isZero();
            assertThat(receipts.stored()).hasSameSizeAs(messages);
            Deliveries.exactlyOnceInOrder(bench().read(subscriber, messages.size()), messages);
            source.complete(source.checkpoint());
            source.until("the reader group is at the end", harness -> client.lag(topic, "group-" + topic) == 0);
        }
    }

    @Test
    @DisplayName("of a server that is there and mute every question says within the bound that nobody answers")
    default void muteServer() {
        String topic = bench().filledTopic(2, 10);
        Map<String, CompletableFuture<Bench.Attempt>> asked = new LinkedHashMap<>();
        try (BrokerClient client = bench().connect()) {
            bench().local().pause();
            try {
                asked.put("connect", bench().attempt(() -> bench().connect().close()));
                asked.put("partitions", bench().attempt(() -> client.partitions(topic)));
                asked.put(
                        "createTopic", bench().attempt(() -> client.createTopic(bench().spec(bench().freshName(), 1))));
                asked.put("lag", bench().attempt(() -> client.lag(topic, "group-" + topic)));
                asked.put("endPositions", bench().attempt(() -> client.endPositions(topic)));
                asked.put("effectiveSettings", bench().attempt(() -> client.effectiveSettings(topic)));
                Await.within(
                        MUTE_BOUND,
                        () -> asked.values().stream().allMatch(CompletableFuture::isDone)
                                || asked.values().stream().anyMatch(FaultChapter::isWrong));
                assertThat(asked)
                        .as("what came of it, where it is no EnvironmentException")
                        .noneSatisfy((question, attempt) ->
                                assertThat(isWrong(attempt)).isTrue());
                assertThat(asked)
                        .as("questions that ended within %s", MUTE_BOUND)
                        .allSatisfy((question, attempt) -> assertThat(attempt).isDone());
            } finally {
                bench().local().resume();
            }
        }
    }

    private static boolean isWrong(CompletableFuture<Bench.Attempt> attempt) {
        return attempt.isDone() && !(attempt.join().failure() instanceof EnvironmentException);
    }

    @Test
    @Timeout(value = 240, unit = TimeUnit.SECONDS)
    @DisplayName("a source killed and restored ten times in the middle of batches of 1,000 loses none and repeats none")
    default void killedInMidBatch(TestReporter reporter) {
        long seed = System.nanoTime();
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        String topic = bench().topic(4);
        Options options = bench().optionsOfBatches();
        List<Stored> kept = new ArrayList<>();
        SourceHarness.Snapshot snapshot = null;
        // One for all: each publisher may begin a partition with a record by itself.
        try (BrokerClient client = bench().broker().connect(options);
                Publisher publisher = client.publisher(topic, "batches")) {
            for (int kill = 1; kill <= bench().kills(); kill++) {
                bench().publish(publisher, filled((kill - 1) * 4 * BATCH, 4 * BATCH));
                int left = kill * 4 * BATCH - kept.size();
                try (SourceHarness<?, ?> source = bench().open(source(options, topic), snapshot)) {
                    source.upToRecords(1 + random.nextInt(Math.max(1, Math.min(left, 4 * BATCH))), quiet());
                    snapshot = source.checkpoint();
                    if (random.nextBoolean()) {
                        source.complete(snapshot);
                    }
                    kept.addAll(source.records());
                    // Read behind the checkpoint and gone with the kill: it has to come again.
                    source.upToRecords(Math.min(left, source.recordCount() + random.nextInt(BATCH)), quiet());
                }
            }
        }
        int all = bench().kills() * 4 * BATCH;
        try (SourceHarness<?, ?> source = bench().open(source(options, topic), snapshot)) {
            source.upToRecords(all - kept.size(), quiet());
            source.run(Duration.ofMillis(300));
            kept.addAll(source.records());
        }
        Deliveries.exactlyOnceInOrder(kept, filled(0, all));
        wasBatched(topic, all);
    }

    @Test
    @DisplayName("source and subscriber that begin in the middle of a batch of 1,000 begin with exactly that record")
    default void beginInMidBatch() {
        String topic = bench().topic(2);
        Options options = bench().optionsOfBatches();
        List<Message> messages = filled(0, 4 * BATCH);
        List<Receipts.Outcome> stored =
                bench().publish(options, topic, messages).stored();
        wasBatched(topic, messages.size());
        for (int place : List.of(1, 537, BATCH - 1, BATCH, BATCH + 411)) {
            Map<Integer, Position> from = new HashMap<>();
            List<Message> behind = new ArrayList<>();
            for (int partition = 0; partition < 2; partition++) {
                int here = partition;
                List<Receipts.Outcome> ofPartition = stored.stream()
                        .filter(outcome -> outcome.partition() == here)
                        .sorted((a, b) -> a.position().compareTo(b.position()))
                        .toList();
                from.put(partition, ofPartition.get(place).position());
                ofPartition.subList(place, ofPartition.size()).forEach(outcome -> behind.add(outcome.message()));
            }
            StartFrom.At at = new StartFrom.At(from);
            try (SourceHarness<?, ?> source = bench().open(source(options, topic, at, StopAt.END))) {
                source.untilEnded();
                assertThat(Stored.texts(source.records()))
                        .as("source from %s", from)
                        .containsExactlyInAnyOrderElementsOf(Message.texts(behind));
            }
            assertThat(Stored.texts(bench().read(topic, at, behind.size())))
                    .as("subscriber from %s", from)
                    .containsExactlyInAnyOrderElementsOf(Message.texts(behind));
        }
    }

    /** What is lost is found by counting, not by waiting for it: so that the sentence says how many. */
    private Duration quiet() {
        return bench().bound().dividedBy(3);
    }

    /** A broker that stores batches had at least half of them as large as they were to be: else this proves nothing. */
    private void wasBatched(String topic, int messages) {
        OptionalLong batches = bench().storedBatches(topic);
        if (batches.isPresent()) {
            assertThat(batches.getAsLong())
                    .as("batches that the server stored of %d messages", messages)
                    .isBetween(1L, messages / (BATCH / 2L));
        }
    }

    private static List<Message> filled(int first, int count) {
        return Message.filled(KEYS, first, count);
    }
}
