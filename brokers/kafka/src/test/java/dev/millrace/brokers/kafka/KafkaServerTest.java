package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.api.local.ServerFiles;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.window.WindowTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only Kafka has: codecs, transactions, raised limits, its own start. */
@Tag("server")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class KafkaServerTest {
    private static final Options SMALL = Options.of(Map.of("memory", "512MiB"));
    private static final Duration BOUND = Duration.ofSeconds(30);
    /** What the job of a test has read; a job's function cannot hold the test. */
    private static final ConcurrentLinkedQueue<String> READ = new ConcurrentLinkedQueue<>();

    @TempDir
    static Path directory;

    private static final KafkaBroker KAFKA = new KafkaBroker();
    private static LocalBroker server;

    @BeforeAll
    static void startServer() {
        server = KAFKA.startLocal(directory.resolve("server"), SMALL);
    }

    @AfterAll
    static void stopServer() {
        server.resume();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zstd", "snappy", "gzip"})
    void everyCodecIsReadBack(String codec) {
        Options options = server.options().with("compression", codec);
        try (BrokerClient client = KAFKA.connect(options)) {
            String topic = "codec-" + codec;
            client.createTopic(TopicSpec.of(topic, 1));
            List<String> values =
                    IntStream.range(0, 500).mapToObj(i -> codec + " " + i).toList();
            publish(client, topic, values);
            assertThat(read(client, topic, 500)).isEqualTo(values);
        }
    }

    @Test
    void aBoundedSourceReadsOverTheGapsThatTransactionsLeaveAndEndsBehindTheLastOne() throws Exception {
        try (BrokerClient client = KAFKA.connect(server.options())) {
            client.createTopic(TopicSpec.of("gaps", 1));
        }
        try (KafkaProducer<byte[], byte[]> foreign = foreign(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "gaps"))) {
            foreign.initTransactions();
            for (int transaction = 0; transaction < 6; transaction++) {
                foreign.beginTransaction();
                for (int i = 0; i < 10; i++) {
                    foreign.send(new ProducerRecord<>("gaps", 0, null, bytes(transaction + "/" + i)));
                }
                foreign.flush();
                if (transaction % 2 == 0) {
                    foreign.commitTransaction();
                } else {
                    foreign.abortTransaction();
                }
            }
        }
        List<String> read = job(2, StopAt.END, "gaps").executeAndCollect("gaps", 1000);
        List<String> committed = IntStream.of(0, 2, 4)
                .boxed()
                .flatMap(t -> IntStream.range(0, 10).mapToObj(i -> t + "/" + i))
                .toList();
        assertThat(read).isEqualTo(committed);
    }

    @Test
    void aPartitionWithAnOpenTransactionIsNotAtItsEnd() throws Exception {
        try (BrokerClient client = KAFKA.connect(server.options())) {
            client.createTopic(TopicSpec.of("open", 1));
        }
        KafkaOptions options = KafkaOptions.bind(server.options());
        KafkaChunkSplitReader reader =
                new KafkaChunkSplitReader(options.consumerProperties(), options.adminProperties(), OffsetLag.unseen());
        try (KafkaProducer<byte[], byte[]> foreign = foreign(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "open"))) {
            reader.handleSplitsChanges(new SplitsAddition<>(List.of(
                    new KafkaPartitionSplit(new TopicPartition("open", 0), KafkaPartitionSplit.EARLIEST_OFFSET))));
            until("the empty partition is at its end", () -> ends(reader.fetch(), new ArrayList<>()) > 0);
            foreign.initTransactions();
            foreign.beginTransaction();
            foreign.send(new ProducerRecord<>("open", 0, null, bytes("one")));
            foreign.flush();
            // What was asked before the record was there may still be answered.
            reader.fetch();
            List<String> read = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            while (System.nanoTime() < deadline) {
                assertThat(ends(reader.fetch(), read)).isZero();
            }
            assertThat(read).isEmpty();
            foreign.commitTransaction();
            until("it is read to its end", () -> ends(reader.fetch(), read) > 0);
            assertThat(read).containsExactly("one");
        } finally {
            reader.close();
        }
    }

    /** How many chunks say that the partition is at its end; {@code read} gets what the others hold. */
    private static int ends(RecordsWithSplitIds<PayloadChunk> fetched, List<String> read) {
        int ends = 0;
        while (fetched.nextSplit() != null) {
            for (PayloadChunk chunk = fetched.nextRecordFromSplit();
                    chunk != null;
                    chunk = fetched.nextRecordFromSplit()) {
                ends += chunk.atEnd() ? 1 : 0;
                for (int i = 0; i < chunk.count(); i++) {
                    read.add(new String(chunk.payload(i), StandardCharsets.UTF_8));
                }
            }
        }
        return ends;
    }

    @Test
    void aPayloadOfTwoMegabytesByAForeignProducerIsRead() throws Exception {
        byte[] large = new byte[2 << 20];
        new Random(1).nextBytes(large);
        try (BrokerClient client = KAFKA.connect(server.options());
                Admin admin = Admin.create(Map.of("bootstrap.servers", server.address()))) {
            client.createTopic(TopicSpec.of("large", 1));
            ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "large");
            AlterConfigOp raise =
                    new AlterConfigOp(new ConfigEntry("max.message.bytes", "4194304"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(topic, List.of(raise))).all().get(30, TimeUnit.SECONDS);
            try (KafkaProducer<byte[], byte[]> foreign =
                    foreign(Map.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "4194304"))) {
                foreign.send(new ProducerRecord<>("large", large)).get(30, TimeUnit.SECONDS);
                foreign.send(new ProducerRecord<>("large", null)).get(30, TimeUnit.SECONDS);
            }
            List<byte[]> read = new ArrayList<>();
            try (Subscriber subscriber = client.subscriber("large", new StartFrom.Earliest())) {
                until("both were read", () -> {
                    subscriber.poll(Duration.ofMillis(500)).forEach(chunk -> IntStream.range(0, chunk.count())
                            .forEach(i -> read.add(chunk.payload(i))));
                    return read.size() == 2;
                });
            }
            assertThat(read.get(0)).isEqualTo(large);
            assertThat(read.get(1)).as("a record without a value").isEmpty();
        }
    }

    @Test
    void untilAPartitionHasStoredItsFirstRecordNoSecondIsOnItsWay() {
        try (BrokerClient client = KAFKA.connect(server.options())) {
            client.createTopic(TopicSpec.of("first", 2));
            byte[] north = keyOf(0);
            byte[] south = keyOf(1);
            try (Publisher publisher = client.publisher("first", "first")) {
                Receipts receipts = new Receipts();
                server.pause();
                assertThat(publisher.offer(north, bytes("1"), 0, receipts)).isTrue();
                assertThat(publisher.offer(north, bytes("2"), 0, receipts)).isFalse();
                assertThat(publisher.offer(south, bytes("1"), 0, receipts)).isTrue();
                assertThat(publisher.offer(south, bytes("2"), 0, receipts)).isFalse();
                server.resume();
                assertThat(publisher.flush(BOUND)).isTrue();
                server.pause();
                for (String value : List.of("2", "3", "4")) {
                    assertThat(publisher.offer(north, bytes(value), 0, receipts))
                            .isTrue();
                    assertThat(publisher.offer(south, bytes(value), 0, receipts))
                            .isTrue();
                }
                server.resume();
                assertThat(publisher.flush(BOUND)).isTrue();
                assertThat(receipts.stored).hasSize(8);
            } finally {
                server.resume();
            }
        }
    }

    @Test
    void aTopicThatWasDeletedIsSaidToItsPublisherAndToTheReaderOfABoundedJob() throws Exception {
        KafkaOptions options = KafkaOptions.bind(server.options());
        KafkaChunkSplitReader reader =
                new KafkaChunkSplitReader(options.consumerProperties(), options.adminProperties(), OffsetLag.unseen());
        try (BrokerClient client = KAFKA.connect(server.options())) {
            client.createTopic(TopicSpec.of("deleted", 1));
            try (Publisher publisher = client.publisher("deleted", "deleted")) {
                Receipts receipts = new Receipts();
                offer(publisher, receipts, "key", List.of("before"));
                assertThat(publisher.flush(BOUND)).isTrue();
                reader.handleSplitsChanges(new SplitsAddition<>(List.of(new KafkaPartitionSplit(
                        new TopicPartition("deleted", 0), KafkaPartitionSplit.EARLIEST_OFFSET, 1_000_000))));
                until("the bounded reader is at the end", () -> ends(reader.fetch(), new ArrayList<>()) > 0);
                client.deleteTopic("deleted");
                long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
                // What the client takes before it hears of it stays without an answer, as much as its buffer holds.
                byte[] payload = new byte[100_000];
                Throwable failure = null;
                while ((receipts.refused.isEmpty() || failure == null) && System.nanoTime() < deadline) {
                    while (receipts.refused.isEmpty() && publisher.offer(bytes("key"), payload, 0, receipts)) {
                        Thread.onSpinWait();
                    }
                    failure = failure == null ? catchThrowable(reader::fetch) : failure;
                }
                assertThat(receipts.refused).singleElement().asString().contains("no topic 'deleted'");
                assertThat(failure)
                        .isInstanceOf(EnvironmentException.class)
                        .hasMessageContaining("partition 0 of topic 'deleted' is not there any more");
            }
        } finally {
            reader.close();
        }
    }

    private static byte[] keyOf(int partition) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> bytes("key-" + i))
                .filter(key -> KeyPartitions.of(key, 2) == partition)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anOutageOfFortySecondsIsWaitedOutByPublisherAndJob() throws Exception {
        READ.clear();
        List<String> values =
                IntStream.range(0, 400).mapToObj(i -> "value " + i).toList();
        try (BrokerClient client = KAFKA.connect(server.options())) {
            client.createTopic(TopicSpec.of("outage", 1));
            SingleOutputStreamOperator<String> stream = job(1, StopAt.NEVER, "outage");
            stream.sinkTo(new DiscardingSink<>());
            JobClient job = stream.getExecutionEnvironment().executeAsync("outage");
            try (Publisher publisher = client.publisher("outage", "outage")) {
                Receipts receipts = new Receipts();
                offer(publisher, receipts, "k", values.subList(0, 200));
                until("the job reads", () -> READ.size() == 200);
                server.pause();
                offer(publisher, receipts, "k", values.subList(200, 400));
                assertThat(publisher.flush(Duration.ofSeconds(40))).isFalse();
                server.resume();
                assertThat(publisher.flush(Duration.ofSeconds(60))).isTrue();
                assertThat(receipts.stored).hasSize(400);
            }
            until("the job has read all", () -> READ.size() >= 400);
            assertThat(READ).containsExactlyElementsOf(values);
            // It may not start again, so it is the same run that goes on.
            assertThat(job.getJobStatus().get(10, TimeUnit.SECONDS)).isEqualTo(JobStatus.RUNNING);
            job.cancel().get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aServerThatWasKilledIsStartedAgainOnItsDataByAnotherLaunch() throws IOException {
        Path data = directory.resolve("again");
        List<String> values = IntStream.range(0, 100).mapToObj(i -> "v" + i).toList();
        LocalBroker first = KAFKA.startLocal(data, SMALL);
        try (BrokerClient client = KAFKA.connect(first.options())) {
            client.createTopic(TopicSpec.of("kept", 1));
            publish(client, "kept", values);
            assertThat(client.lag("kept", "nobody")).isEqualTo(100);
            assertThat(client.effectiveSettings("kept").serverVersion()).isEqualTo("4.1.1");
            assertThatThrownBy(() -> KAFKA.startLocal(data, SMALL.with("port", "1")))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("not on 1");
        } finally {
            first.kill();
        }
        Path left = Files.writeString(ServerFiles.scratch(data).resolve("library-of-the-one-that-was-killed"), "");
        try (LocalBroker second = KAFKA.startLocal(data, SMALL);
                BrokerClient client = KAFKA.connect(second.options())) {
            assertThat(read(client, "kept", 100)).isEqualTo(values);
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void aServerThatCannotStartSaysWhyAndLeavesNoProcess() throws Exception {
        Path broken = directory.resolve("broken");
        Files.createDirectories(broken.resolve("data"));
        Files.writeString(broken.resolve("data/meta.properties"), "version=1\ncluster.id=other\nnode.id=77\n");
        assertThatThrownBy(() -> KAFKA.startLocal(broken, SMALL))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("ended while it started")
                .hasMessageContaining("77");
        assertThat(ServerProcess.running("kafka", broken)).isEmpty();
    }

    private static SingleOutputStreamOperator<String> job(int parallelism, StopAt stopAt, String topic) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment flink = LocalFlink.environment(parallelism, configuration);
        SourceSpec spec = new SourceSpec(topic, "group", new StartFrom.Earliest(), stopAt, Duration.ofSeconds(1));
        return flink.fromSource(
                        KAFKA.source(server.options(), spec),
                        WatermarkStrategy.noWatermarks(),
                        "kafka",
                        WindowTypes.PAYLOAD_CHUNK)
                .flatMap((FlatMapFunction<PayloadChunk, String>) (chunk, out) -> {
                    for (int i = 0; i < chunk.count(); i++) {
                        String text = new String(chunk.payload(i), StandardCharsets.UTF_8);
                        READ.add(text);
                        out.collect(text);
                    }
                })
                .returns(Types.STRING);
    }

    private static KafkaProducer<byte[], byte[]> foreign(Map<String, Object> more) {
        Map<String, Object> settings = new java.util.HashMap<>(more);
        settings.put("bootstrap.servers", server.address());
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void publish(BrokerClient client, String topic, List<String> values) {
        try (Publisher publisher = client.publisher(topic, "test")) {
            Receipts receipts = new Receipts();
            offer(publisher, receipts, "key", values);
            assertThat(publisher.flush(BOUND)).isTrue();
            assertThat(receipts.stored).hasSize(values.size());
        }
    }

    private static void offer(Publisher publisher, Receipts receipts, String key, List<String> values) {
        for (String value : values) {
            until("an offer was accepted", () -> publisher.offer(bytes(key), bytes(value), 0, receipts));
        }
    }

    private static List<String> read(BrokerClient client, String topic, int count) {
        List<String> values = new ArrayList<>();
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            until(count + " were read", () -> {
                for (PayloadChunk chunk : subscriber.poll(Duration.ofMillis(500))) {
                    for (int i = 0; i < chunk.count(); i++) {
                        values.add(new String(chunk.payload(i), StandardCharsets.UTF_8));
                    }
                }
                return values.size() >= count;
            });
        }
        return values;
    }

    private static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s within %s", what, BOUND).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
