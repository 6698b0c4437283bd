package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.window.WindowTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The source: what it reads, where it begins and ends, and what it says of a partition's end. */
interface SourceChapter extends Chapter {
    /** Longer than a broker may take for an answer. */
    Duration LONG_WAIT = Duration.ofSeconds(5);

    /** A source from the oldest record that looks for no new partitions. */
    private SourceHarness<?, ?> open(String topic, StartFrom from, StopAt stop) {
        return bench().open(bench().broker()
                .source(bench().options(), new SourceSpec(topic, "group-" + topic, from, stop, Duration.ZERO)));
    }

    @Test
    @DisplayName("in a Flink cluster a bounded source reads everything once and the job ends")
    default void miniCluster() throws Exception {
        String topic = bench().filledTopic(4, 3_000);
        StreamExecutionEnvironment flink = LocalFlink.environment(2);
        flink.getConfig().enableObjectReuse();
        flink.enableCheckpointing(200);
        SourceSpec spec = new SourceSpec(topic, "mini", new StartFrom.Earliest(), StopAt.END, Duration.ZERO);
        // The chunk never leaves its task: source and flatMap are chained, so its type information is never used.
        List<String> read = flink.fromSource(
                        bench().broker().source(bench().options(), spec),
                        WatermarkStrategy.noWatermarks(),
                        "contract",
                        WindowTypes.PAYLOAD_CHUNK)
                .flatMap((FlatMapFunction<PayloadChunk, String>)
                        (chunk, out) -> Stored.of(chunk).forEach(record -> out.collect(record.text())))
                .returns(Types.STRING)
                .executeAndCollect("contract", 3_001);
        assertThat(read).containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 3_000)));
    }

    @Test
    @DisplayName("the source gives whole chunks in order and counts readings, not chunks")
    default void sourceChunks() {
        String topic = bench().filledTopic(2, 1_000);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.untilRecords(1_000);
            Map<Integer, Position> last = new HashMap<>();
            source.emitted().forEach(chunk -> ChunkRules.check(chunk, last));
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 1_000)));
            long empty = source.emitted().stream()
                    .filter(chunk -> chunk.count() == 0)
                    .count();
            assertThat(source.readingsCounted()).isBetween(1_000L, 1_000L + empty);
        }
    }

    @Test
    @DisplayName("a partition's payloads come from the source in the order in which they are stored")
    default void sourceOrder() {
        String topic = bench().filledTopic(1, 2_000);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.END)) {
            source.untilEnded();
            assertThat(Stored.texts(source.records())).isEqualTo(Message.texts(Message.numbered(10, 0, 2_000)));
        }
    }

    @Test
    @DisplayName("a bounded source of empty partitions ends at once")
    default void emptyEnds() {
        String topic = bench().topic(3);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.END)) {
            source.untilEnded();
            assertThat(source.records()).isEmpty();
        }
    }

    @Test
    @DisplayName("a bounded source with some empty partitions reads the others and ends")
    default void someEmptyEnds() {
        String topic = bench().topic(8);
        bench().publish(topic, Message.numbered(1, 0, 100));
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.END)) {
            source.untilEnded();
            assertThat(source.records()).hasSize(100);
        }
    }

    @Test
    @DisplayName("a bounded source ends where the partitions ended when it started")
    default void endsWhereItEnded() {
        String topic = bench().filledTopic(2, 500);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.END)) {
            source.untilRecords(1);
            bench().publish(topic, Message.numbered(10, 500, 200));
            source.untilEnded();
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 500)));
        }
    }

    @Test
    @DisplayName("a source from the latest record reads only what comes after its start")
    default void sourceLatest() {
        String topic = bench().filledTopic(2, 100);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Latest(), StopAt.NEVER)) {
            source.until("the reader stands at the end", harness -> confirmations(harness) > 0);
            // Two partitions: the second may be asked for its end a little after the first.
            source.until("both ends are confirmed", harness -> confirmedPartitions(harness) == 2);
            bench().publish(topic, Message.numbered(10, 100, 40));
            source.untilRecords(40);
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 100, 40)));
        }
    }

    @Test
    @DisplayName("a source at positions begins with exactly those records")
    default void sourceAt() {
        String topic = bench().filledTopic(2, 100);
        Map<Integer, Position> ends = bench().endPositions(topic);
        bench().publish(topic, Message.numbered(10, 100, 40));
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.At(ends), StopAt.END)) {
            source.untilEnded();
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 100, 40)));
        }
    }

    @Test
    @DisplayName("a quiet partition's end is confirmed again and again")
    default void confirmsQuietEnds() {
        String topic = bench().filledTopic(1, 10);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.untilRecords(10);
            int before = confirmations(source);
            source.until("the end was confirmed three more times", harness -> confirmations(harness) >= before + 3);
        }
    }

    @Test
    @DisplayName("an empty partition's end is confirmed, too")
    default void confirmsEmptyEnds() {
        String topic = bench().topic(2);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.until("both ends were confirmed", harness -> confirmedPartitions(harness) == 2);
        }
    }

    @Test
    @DisplayName("no end is confirmed while the broker is silent, and afterwards it is again")
    default void silenceIsNotTheEnd() {
        String topic = bench().filledTopic(1, 10);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.until("the end was confirmed", harness -> confirmations(harness) > 0);
            bench().local().pause();
            try {
                // What the server had answered before it fell silent may still be on its way.
                source.run(Duration.ofMillis(1_500));
                int before = confirmations(source);
                source.run(Duration.ofSeconds(4));
                assertThat(confirmations(source)).isEqualTo(before);
            } finally {
                bench().local().resume();
            }
            int before = confirmations(source);
            source.until("the end was confirmed again", harness -> confirmations(harness) > before);
            assertThat(ends(source).get(before).isUnbroken())
                    .as("whether the broker has answered all the time")
                    .isFalse();
        }
    }

    @Test
    @DisplayName(
            "a reader that itself has to wait, or whose split is paused, does not take that for a silence of the broker")
    default void ownWaitIsNoSilence() {
        String topic = bench().filledTopic(1, 10);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.until("the end was confirmed", harness -> confirmations(harness) > 0);
            assertThat(isUnbrokenOver(source, () -> LockSupport.parkNanos(LONG_WAIT.toNanos())))
                    .as("over a wait of its own")
                    .isTrue();
            List<String> split = source.checkpoint().splitIds();
            assertThat(isUnbrokenOver(source, () -> {
                        source.pauseOrResume(split, List.of());
                        source.run(LONG_WAIT);
                        source.pauseOrResume(List.of(), split);
                    }))
                    .as("over a pause")
                    .isTrue();
        }
    }

    @Test
    @DisplayName("a split that is paused gives nothing, the others go on, and resumed it gives all")
    default void pausedSplits() {
        String topic = bench().topic(2);
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.until("both ends were confirmed", harness -> confirmedPartitions(harness) == 2);
            String paused = source.checkpoint().splitIds().get(0);
            source.pauseOrResume(List.of(paused), List.of());
            source.run(Duration.ofSeconds(1));
            bench().publish(topic, Message.numbered(10, 0, 200));
            source.untilRecords(1);
            source.run(Duration.ofSeconds(1));
            List<Stored> ofOther = source.records();
            assertThat(ofOther.stream().map(Stored::partition).distinct()).hasSize(1);
            source.pauseOrResume(List.of(), List.of(paused));
            source.untilRecords(200);
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(10, 0, 200)));
        }
    }

    @Test
    @DisplayName("partitions that are added while the source runs are found and read from their oldest record")
    default void discovery() {
        if (!bench().can(Capability.ADDS_PARTITIONS)) {
            return;
        }
        String topic = bench().filledTopic(1, 50);
        SourceSpec spec =
                new SourceSpec(topic, "discovery", new StartFrom.Latest(), StopAt.NEVER, Duration.ofMillis(300));
        try (SourceHarness<?, ?> source = bench().open(bench().broker().source(bench().options(), spec))) {
            source.until("the end was confirmed", harness -> confirmations(harness) > 0);
            try (BrokerClient client = bench().connect()) {
                client.addPartitions(topic, 3);
            }
            bench().publish(topic, Message.numbered(20, 50, 300));
            source.untilRecords(300);
            assertThat(Stored.texts(source.records()))
                    .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(20, 50, 300)));
        }
    }

    @Test
    @DisplayName("partitions raised from 4 to 8 under load are read from their oldest record, over a restart too")
    default void discoveryUnderLoad() {
        if (!bench().can(Capability.ADDS_PARTITIONS)) {
            return;
        }
        String topic = bench().topic(4);
        int rounds = 6;
        int ofRound = 300;
        SourceSpec spec =
                new SourceSpec(topic, "raised", new StartFrom.Earliest(), StopAt.NEVER, Duration.ofMillis(300));
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            for (int round = 0; round < rounds; round++) {
                if (round == 2) {
                    try (BrokerClient client = bench().connect()) {
                        client.addPartitions(topic, 8);
                    }
                }
                bench().publish(topic, Message.numbered(40, round * ofRound, ofRound));
            }
        });
        List<Stored> read = new ArrayList<>();
        SourceHarness.Snapshot snapshot;
        try (SourceHarness<?, ?> source = bench().open(bench().broker().source(bench().options(), spec))) {
            source.untilRecords(rounds * ofRound / 2);
            snapshot = source.checkpoint();
            read.addAll(source.records());
        }
        int rest = rounds * ofRound - read.size();
        try (SourceHarness<?, ?> source = bench().open(bench().broker().source(bench().options(), spec), snapshot)) {
            source.untilRecords(rest);
            assertThat(load).succeedsWithin(bench().bound());
            source.run(Duration.ofMillis(200));
            read.addAll(source.records());
        }
        assertThat(read.stream().map(Stored::partition).distinct()).hasSize(8);
        assertThat(Stored.texts(read))
                .containsExactlyInAnyOrderElementsOf(Message.texts(Message.numbered(40, 0, rounds * ofRound)));
    }

    @Test
    @DisplayName(
            "the records still to be read are a gauge that is above zero while there are, and falls to zero; until the broker has"
                    + " told how many there are, no split is counted")
    default void pendingRecords() {
        String topic = bench().topic(1);
        bench().publish(topic, Message.backlog());
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            assertThat(source.splitsCounted()).isZero();
            source.untilRecords(1);
            Await.until(bench().bound(), "something is pending", () -> source.pendingRecords() > 0);
            assertThat(source.splitsCounted()).isEqualTo(1);
            source.untilRecords(Message.BACKLOG);
            source.until("nothing is pending", harness -> harness.pendingRecords() == 0);
        }
    }

    @Test
    @DisplayName("the records still to be read grow while the job takes none")
    default void pendingWhileTheJobWaits() {
        String topic = bench().topic(1);
        bench().publish(topic, Message.backlog());
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.untilRecords(1);
            // More than a reader takes in hand for the job.
            for (int i = 0; i < 5; i++) {
                bench().publish(topic, Message.backlog());
            }
            Await.until(bench().bound(), "a backlog is pending", () -> source.pendingRecords() > Message.BACKLOG);
            long before = source.pendingRecords();
            bench().publish(topic, Message.backlog());
            Await.until(
                    bench().bound(),
                    "another one is pending too",
                    () -> source.pendingRecords() >= before + Message.BACKLOG);
            source.untilRecords(7 * Message.BACKLOG);
            source.until("nothing is pending", harness -> harness.pendingRecords() == 0);
        }
    }

    @Test
    @DisplayName("the source confirms no end while records stand behind it")
    default void endIsTheEnd() {
        String topic = bench().topic(1);
        bench().publish(topic, Message.backlog());
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.untilRecords(Message.BACKLOG);
            ChunkRules.checkEnd(source.emitted(), Message.BACKLOG);
        }
    }

    @Test
    @DisplayName("the timestamp of a record from the source is when the broker took it")
    default void sourceTimestamps() {
        long before = System.currentTimeMillis();
        String topic = bench().filledTopic(2, 50);
        long after = System.currentTimeMillis();
        try (SourceHarness<?, ?> source = open(topic, new StartFrom.Earliest(), StopAt.NEVER)) {
            source.untilRecords(50);
            // The broker may round to a tick of its own clock.
            assertThat(source.records())
                    .allSatisfy(record -> assertThat(record.timestamp()).isBetween(before - 100, after + 100));
        }
    }

    /** A server that is slow just then may answer one question late, and that is a silence; not each time. */
    private static boolean isUnbrokenOver(SourceHarness<?, ?> source, Runnable wait) {
        for (int attempt = 0; attempt < 3; attempt++) {
            wait.run();
            long waited = System.nanoTime();
            Predicate<PayloadChunk> askedAfter = end -> end.count() == 0 && end.askedNanos() - waited > 0;
            source.until("the end was confirmed after the wait", harness -> ends(harness).stream()
                    .anyMatch(askedAfter));
            if (ends(source).stream()
                    .filter(askedAfter)
                    .findFirst()
                    .orElseThrow()
                    .isUnbroken()) {
                return true;
            }
        }
        return false;
    }

    private static int confirmations(SourceHarness<?, ?> source) {
        return ends(source).size();
    }

    private static List<PayloadChunk> ends(SourceHarness<?, ?> source) {
        return source.emitted().stream().filter(PayloadChunk::atEnd).toList();
    }

    private static int confirmedPartitions(SourceHarness<?, ?> source) {
        return (int) source.emitted().stream()
                .filter(PayloadChunk::atEnd)
                .map(PayloadChunk::partition)
                .distinct()
                .count();
    }
}
