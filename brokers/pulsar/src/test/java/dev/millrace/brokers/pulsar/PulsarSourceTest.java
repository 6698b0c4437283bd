package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.window.WindowTypes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What foreign producers can write, and what happens to a reader in the middle of their batches. */
@Tag("server")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PulsarSourceTest {
    private static final PulsarBroker PULSAR = new PulsarBroker();
    private static final int BATCH = 1_000;
    private static final int KILLS = 12;

    @TempDir
    static Path directory;

    private static LocalBroker server;
    private static PulsarClient foreign;

    @BeforeAll
    static void startServer() throws PulsarClientException {
        server = PULSAR.startLocal(directory.resolve("server"), Options.of(Map.of("memory", "1GiB")));
        foreign = PulsarClient.builder()
                .serviceUrl("pulsar://" + server.address())
                .build();
    }

    @AfterAll
    static void stopServer() throws PulsarClientException {
        if (foreign != null) {
            foreign.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void batchesOfEveryCodecAreRead() throws Exception {
        String topic = topic("batches", 1);
        List<String> values = new ArrayList<>();
        for (CompressionType codec : CompressionType.values()) {
            List<String> some = values(values.size(), 2_500);
            publish(batching(topic).compressionType(codec), some);
            values.addAll(some);
        }
        assertThat(read(topic)).isEqualTo(values);
    }

    @Test
    void batchesSmallerAndLargerThanAChunkAreReadWithEveryCodec() throws Exception {
        String topic = topic("sizes", 1);
        Random random = new Random(5);
        List<String> values = new ArrayList<>();
        for (CompressionType codec : CompressionType.values()) {
            for (int ofBatch : new int[] {1_000, 20, 300, 500, 1}) {
                List<String> some = IntStream.range(0, 2 * ofBatch)
                        .mapToObj(i -> codec + " " + i + " "
                                + random.ints(400, 'a', 'z' + 1)
                                        .collect(
                                                StringBuilder::new,
                                                StringBuilder::appendCodePoint,
                                                StringBuilder::append))
                        .toList();
                publish(batching(topic).batchingMaxMessages(ofBatch).compressionType(codec), some);
                values.addAll(some);
            }
        }
        assertThat(read(topic)).isEqualTo(values);
    }

    @Test
    void messagesOutsideBatchesAreReadWithEveryCodec() throws Exception {
        String topic = topic("single", 1);
        List<String> values = new ArrayList<>();
        for (CompressionType codec : CompressionType.values()) {
            List<String> some = values(values.size(), 150);
            publish(producer(topic).enableBatching(false).compressionType(codec), some);
            values.addAll(some);
        }
        assertThat(read(topic)).isEqualTo(values);
    }

    @Test
    void aMessageWithoutAValueIsAnEmptyPayload() throws Exception {
        String topic = topic("tombstones", 1);
        try (Producer<byte[]> batches = batching(topic).create();
                Producer<byte[]> single = producer(topic).enableBatching(false).create()) {
            batches.newMessage().key("a").value(bytes("one")).sendAsync();
            batches.newMessage().key("a").value(null).sendAsync();
            batches.newMessage().key("a").value(bytes("three")).sendAsync();
            batches.flush();
            single.newMessage().key("a").value(null).send();
        }
        assertThat(read(topic)).containsExactly("one", "", "three", "");
    }

    @Test
    void messagesOfTwoMegabytesAreReadBesideSmallOnes() throws Exception {
        String topic = topic("large", 1);
        List<String> sums = new ArrayList<>();
        List<CompletableFuture<MessageId>> sent = new ArrayList<>();
        Random random = new Random(7);
        try (Producer<byte[]> producer = producer(topic).create()) {
            for (int i = 0; i < 40; i++) {
                byte[] payload = new byte[i % 4 == 0 ? 2 << 20 : 100];
                random.nextBytes(payload);
                sums.add(payload.length + "/" + Arrays.hashCode(payload));
                sent.add(producer.sendAsync(payload));
            }
            producer.flush();
            sent.forEach(CompletableFuture::join);
        }
        List<String> read = job(topic, StopAt.END, "reader", false)
                .flatMap((FlatMapFunction<PayloadChunk, String>) (chunk, out) -> {
                    for (int i = 0; i < chunk.count(); i++) {
                        byte[] payload = chunk.payload(i);
                        out.collect(payload.length + "/" + Arrays.hashCode(payload));
                    }
                })
                .returns(Types.STRING)
                .executeAndCollect(topic, 100);
        assertThat(read).isEqualTo(sums);
    }

    @Test
    void aMessageCutIntoPiecesIsRefusedWithASentence() throws Exception {
        String topic = topic("pieces", 1);
        try (Producer<byte[]> producer =
                producer(topic).enableBatching(false).enableChunking(true).create()) {
            producer.send(bytes("whole"));
            byte[] large = new byte[12 << 20];
            new Random(7).nextBytes(large);
            producer.send(large);
        }
        assertThatThrownBy(() -> read(topic)).satisfies(e -> assertThat(sentences(e))
                .anySatisfy(sentence ->
                        assertThat(sentence).contains("topic 'pieces'").contains("chunked messages are not read")));
    }

    @Test
    void anEncryptedMessageIsRefusedWithASentence() throws Exception {
        String topic = topic("encrypted", 1);
        KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        String key = "data:application/x-pem-file;base64,"
                + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
        publish(batching(topic).addEncryptionKey("key").defaultCryptoKeyReader(key), values(0, 10));
        assertThatThrownBy(() -> read(topic)).satisfies(e -> assertThat(sentences(e))
                .anySatisfy(sentence ->
                        assertThat(sentence).contains("topic 'encrypted'").contains("encrypted")));
    }

    @Test
    void aJobKilledAgainAndAgainInTheMiddleOfBatchesLosesAndRepeatsNothing() throws Exception {
        String topic = topic("killed", 4);
        List<String> values = values(0, 60_000);
        publish(batching(topic), values);
        Dying.reset(KILLS);
        List<String> read = job(topic, StopAt.END, "killed", true)
                .flatMap(new Dying())
                .returns(Types.STRING)
                .executeAndCollect("killed", values.size() + 1);
        assertThat(Dying.deathsLeft()).as("deaths that did not happen").isZero();
        Collections.sort(read);
        assertThat(read).isEqualTo(values);
    }

    @Test
    void consumersDisconnectedByTheBrokerAgainAndAgainLoseAndRepeatNothing() throws Exception {
        String topic = topic("unloaded", 2);
        int rounds = 8;
        int ofRound = 5_000;
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            for (int round = 0; round < rounds; round++) {
                publish(batching(topic), values(round * ofRound, ofRound));
                unload(topic);
            }
        });
        List<String> read = job(topic, StopAt.NEVER, "unloaded", true)
                .flatMap((FlatMapFunction<PayloadChunk, String>) PulsarSourceTest::texts)
                .returns(Types.STRING)
                .executeAndCollect("unloaded", rounds * ofRound);
        load.get(60, TimeUnit.SECONDS);
        Collections.sort(read);
        assertThat(read).isEqualTo(values(0, rounds * ofRound));
    }

    @Test
    void aJobThatDiesTwiceWhereItsPartitionWasQuietForAsLongAsTheRetentionGoesOn() throws Exception {
        String topic = topic("quiet", 1);
        publish(batching(topic), values(0, 1_000));
        Dying.reset(0);
        CompletableFuture<Void> quiet = CompletableFuture.runAsync(() -> {
            try (BrokerClient client = PULSAR.connect(server.options())) {
                while (client.lag(topic, topic) > 0) {
                    LockSupport.parkNanos(10_000_000);
                }
            }
            QuietTopic.dropWhatIsConfirmed(PulsarOptions.bind(server.options()), topic);
            Dying.atConfirmedEnds(2);
            while (Dying.deathsLeft() > 0) {
                LockSupport.parkNanos(10_000_000);
            }
            publish(batching(topic), values(1_000, 1_000));
        });
        List<String> read = job(topic, StopAt.NEVER, topic, true)
                .flatMap(new Dying())
                .returns(Types.STRING)
                .executeAndCollect(topic, 2_000);
        quiet.get(60, TimeUnit.SECONDS);
        assertThat(read).isEqualTo(values(0, 2_000));
    }

    @Test
    void whatTheBrokerDroppedUnreadIsFoundAtTheGapAndWhatTheGroupHasConfirmedIsNot() throws Exception {
        String topic = topic("dropped", 1);
        GroupCursor cursor = new GroupCursor(PulsarOptions.bind(server.options()), topic, "group");
        try (Consumer<byte[]> group = foreign.newConsumer()
                        .topic("persistent://public/default/" + topic + "-partition-0")
                        .subscriptionName("group")
                        .isAckReceiptEnabled(true)
                        .subscribe();
                Producer<byte[]> producer =
                        producer(topic).enableBatching(false).create()) {
            List<MessageIdAdv> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ids.add((MessageIdAdv) producer.send(bytes("m" + i)));
            }
            long ledger = ids.get(0).getLedgerId();
            group.acknowledgeCumulative(ids.get(4));
            // Read up to 4, then 6: 5 is still there for the group, so the broker has not dropped it.
            cursor.requireNothingIn(new Gap(ledger, 4, ledger, 6, true), 0);
            assertThat(refusal(cursor, new Gap(ledger, 2, ledger, 6, true)))
                    .contains("topic 'dropped', partition 0")
                    .contains("no longer there");
            group.acknowledge(ids.get(6));
            assertThat(refusal(cursor, new Gap(ledger, 4, ledger, 7, true))).contains("damaged");
        }
    }

    @Test
    void aTopicThatIsDeletedWhileItIsReadEndsTheReadingWithASentence() {
        String topic = topic("deleted", 1);
        publish(producer(topic), values(0, 10));
        try (BrokerClient client = PULSAR.connect(server.options());
                GroupReader reader = client.groupReader(topic, "group", new StartFrom.Earliest())) {
            int read = 0;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (read < 10 && System.nanoTime() < deadline) {
                read += reader.poll().stream().mapToInt(PayloadChunk::count).sum();
            }
            assertThat(read).isEqualTo(10);
            client.deleteTopic(topic);
            assertThat(failure(reader))
                    .contains("topic 'deleted', partition 0")
                    .contains("was deleted")
                    .contains("reader group 'group'");
        }
    }

    private static String failure(GroupReader reader) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            try {
                reader.poll();
            } catch (EnvironmentException e) {
                return e.getMessage();
            }
        }
        throw new AssertionError("the reader goes on without its topic");
    }

    /** The broker shows an acknowledgement a little after it has confirmed it. */
    private static String refusal(GroupCursor cursor, Gap gap) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < deadline) {
            try {
                cursor.requireNothingIn(gap, 0);
            } catch (EnvironmentException e) {
                return e.getMessage();
            }
        }
        throw new AssertionError("nothing was found in " + gap);
    }

    /** Fails in the middle of a chunk, after some thousand readings, as often as it is told to; or at an empty one. */
    private static final class Dying implements FlatMapFunction<PayloadChunk, String> {
        private static final int LEAST = 2_000;
        private static final int READINGS_BEFORE_A_REST = 100;
        private static final AtomicInteger DEATHS = new AtomicInteger();
        private static volatile boolean atEnd;

        private final Random random = new Random();
        private int lifetime = LEAST + random.nextInt(6_000);
        private int seen;

        static void reset(int deaths) {
            DEATHS.set(deaths);
        }

        static void atConfirmedEnds(int deaths) {
            DEATHS.set(deaths);
            atEnd = true;
        }

        static int deathsLeft() {
            return Math.max(0, DEATHS.get());
        }

        @Override
        public void flatMap(PayloadChunk chunk, Collector<String> out) {
            if (atEnd && chunk.count() == 0 && DEATHS.getAndDecrement() > 0) {
                throw new IllegalStateException("killed at the end");
            }
            for (int i = 0; i < chunk.count(); i++) {
                if (++seen == lifetime && DEATHS.getAndDecrement() > 0) {
                    throw new IllegalStateException("killed at reading " + i + " of a chunk of " + chunk.count());
                }
                if (seen % READINGS_BEFORE_A_REST == 0) {
                    // So slow that checkpoints come between.
                    LockSupport.parkNanos(2_000_000);
                }
                out.collect(new String(chunk.payload(i), StandardCharsets.UTF_8));
            }
        }
    }

    private static void texts(PayloadChunk chunk, Collector<String> out) {
        for (int i = 0; i < chunk.count(); i++) {
            out.collect(new String(chunk.payload(i), StandardCharsets.UTF_8));
        }
    }

    private static List<String> read(String topic) throws Exception {
        return job(topic, StopAt.END, "reader", false)
                .flatMap((FlatMapFunction<PayloadChunk, String>) PulsarSourceTest::texts)
                .returns(Types.STRING)
                .executeAndCollect(topic, 100_000);
    }

    private static DataStream<PayloadChunk> job(String topic, StopAt stopAt, String group, boolean restarts) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, restarts ? "fixed-delay" : "none");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 100);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment flink = LocalFlink.environment(2, configuration);
        flink.getConfig().enableObjectReuse();
        if (restarts) {
            flink.enableCheckpointing(50);
        }
        SourceSpec spec = new SourceSpec(topic, group, new StartFrom.Earliest(), stopAt, Duration.ofSeconds(1));
        return flink.fromSource(
                PULSAR.source(server.options(), spec),
                WatermarkStrategy.noWatermarks(),
                "pulsar",
                WindowTypes.PAYLOAD_CHUNK);
    }

    private static String topic(String name, int partitions) {
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of(name, partitions));
        }
        return name;
    }

    /** Makes the broker let go of the topic and take it up again, as it does when load is moved. */
    private static void unload(String topic) {
        PulsarAdmin admin = new PulsarAdmin(PulsarOptions.bind(server.options()));
        admin.fine(admin.ask("PUT", admin.topic(topic) + "/unload", null, "unload"), "unload");
    }

    private static ProducerBuilder<byte[]> producer(String topic) {
        return foreign.newProducer(Schema.BYTES).topic("persistent://public/default/" + topic);
    }

    /** Batches of exactly {@link #BATCH} messages, but for the last. */
    private static ProducerBuilder<byte[]> batching(String topic) {
        return producer(topic)
                .batchingMaxMessages(BATCH)
                .batchingMaxBytes(4 << 20)
                .batchingMaxPublishDelay(1, TimeUnit.MINUTES)
                .roundRobinRouterBatchingPartitionSwitchFrequency(60);
    }

    private static void publish(ProducerBuilder<byte[]> builder, List<String> values) {
        try (Producer<byte[]> producer = builder.blockIfQueueFull(true).create()) {
            List<CompletableFuture<MessageId>> sent = new ArrayList<>();
            for (String value : values) {
                sent.add(producer.sendAsync(bytes(value)));
            }
            producer.flush();
            sent.forEach(CompletableFuture::join);
        } catch (PulsarClientException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> values(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> String.format("value %08d", i))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> sentences(Throwable failure) {
        List<String> sentences = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            sentences.add(String.valueOf(cause.getMessage()));
        }
        return sentences;
    }
}
