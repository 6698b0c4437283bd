package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.connectors.testkit.baseline.StoredReceipts;
import dev.millrace.connectors.testkit.monitoring.MetricTable;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only Pulsar has: codecs, batches or none, namespaces, duplicates that the broker drops, its own start. */
@Tag("server")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class PulsarServerTest {
    private static final Options SMALL = Options.of(Map.of("memory", "1GiB"));
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final PulsarBroker PULSAR = new PulsarBroker();

    @TempDir
    static Path directory;

    private static LocalBroker server;

    @BeforeAll
    static void startServer() {
        server = PULSAR.startLocal(directory.resolve("server"), SMALL);
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zlib", "zstd", "snappy"})
    void everyCodecIsReadBack(String codec) {
        try (BrokerClient client = PULSAR.connect(server.options().with("compression", codec))) {
            String topic = "codec-" + codec;
            client.createTopic(TopicSpec.of(topic, 1));
            List<String> values =
                    IntStream.range(0, 500).mapToObj(i -> codec + " " + i).toList();
            publish(client, topic, values);
            assertThat(read(client, topic, 500)).isEqualTo(values);
        }
    }

    @Test
    void messagesWithoutBatchesAreReadBackAndCountedInTheLag() {
        try (BrokerClient client = PULSAR.connect(server.options().with("producer.batchingEnabled", "false"))) {
            client.createTopic(TopicSpec.of("single", 1));
            List<String> values =
                    IntStream.range(0, 50).mapToObj(i -> "single " + i).toList();
            List<Position> stored = publish(client, "single", values);
            assertThat(stored).allMatch(position -> PulsarPositions.index(position) == 0);
            assertThat(read(client, "single", 50)).isEqualTo(values);
            assertThat(client.lag("single", "nobody")).isEqualTo(50);
        }
    }

    @Test
    void aMessageThatTheBrokerHadAlreadyIsFoundWhereItStands() throws Exception {
        PulsarOptions options = PulsarOptions.bind(server.options());
        List<Position> stored;
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("twice", 1));
            stored = publish(client, "twice", List.of("0", "1", "2", "3"));
        }
        List<Position> found = new CopyOnWriteArrayList<>();
        try (PulsarClient client =
                PulsarClient.builder().serviceUrl(options.serviceUrl()).build()) {
            try (Producer<byte[]> again = client.newProducer(Schema.BYTES)
                    .topic(options.partition("twice", 0))
                    .producerName("test")
                    .create()) {
                MessageIdAdv id = (MessageIdAdv)
                        again.newMessage().sequenceId(2).value(bytes("2")).send();
                // This is why it must be sought: the broker does not say where.
                assertThat(id.getLedgerId()).isNegative();
            }
            StoredBefore storedBefore = new StoredBefore(client, options, "twice", "test");
            StoredReceipts receipts = new StoredReceipts(found::add);
            PulsarPublisher publisher = PulsarPublisher.open(options, "twice", "other", Map.of(0, stored.get(0)), 1000);
            storedBefore.seek(new PulsarAnswer(publisher, receipts, 0, 1), MessageId.earliest);
            storedBefore.seek(new PulsarAnswer(publisher, receipts, 0, 3), MessageId.earliest);
            until("both were found", () -> found.size() == 2);
            publisher.close();
        }
        assertThat(found).containsExactly(stored.get(1), stored.get(3));
    }

    @Test
    void readingsStayThoughEveryReaderGroupHasConfirmedThemAndThoughThereIsNone() throws Exception {
        PulsarOptions options = PulsarOptions.bind(server.options());
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("kept", 1));
            List<String> values =
                    IntStream.range(0, 100).mapToObj(Integer::toString).toList();
            publish(client, "kept", values);
            try (PulsarClient foreign = PulsarClient.builder()
                            .serviceUrl(options.serviceUrl())
                            .build();
                    var consumer = foreign.newConsumer()
                            .topic(options.partition("kept", 0))
                            .subscriptionName("group")
                            .subscribe()) {
                // The subscription begins at the end: it has confirmed all there is.
                assertThat(client.lag("kept", "group")).isZero();
                consumer.unsubscribe();
            }
            assertThat(read(client, "kept", 100)).isEqualTo(values);
        }
    }

    @Test
    void aTopicWhoseMakingWasCutShortGetsItsPoliciesTheNextTime() {
        PulsarOptions options = PulsarOptions.bind(server.options());
        PulsarAdmin admin = new PulsarAdmin(options);
        new PulsarTopics(options, admin).make("cut-short", 2);
        assertThat(policy(admin, "cut-short", "retention")).isEmpty();
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("cut-short", 2));
            // A broker may show a policy a little after it has taken it.
            until("the last policy is shown", () -> policy(admin, "cut-short", "messageTTL")
                    .equals("86400"));
            assertThat(policy(admin, "cut-short", "retention")).contains("\"retentionTimeInMinutes\":1440");
            assertThat(policy(admin, "cut-short", "backlogQuotaMap")).contains("consumer_backlog_eviction");
            assertThat(client.effectiveSettings("cut-short").others()).containsEntry("deduplicationEnabled", "true");
        }
    }

    @Test
    void aTopicOfSomebodyElseGetsNoPolicies() {
        PulsarAdmin admin = new PulsarAdmin(PulsarOptions.bind(server.options()));
        admin.fine(admin.ask("PUT", admin.topic("of-others") + "/partitions", "2", "make it"), "make it");
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("of-others", 2));
            assertThat(client.partitions("of-others")).isEqualTo(2);
        }
        assertThat(policy(admin, "of-others", "retention")).isEmpty();
        assertThat(policy(admin, "of-others", "messageTTL")).isEmpty();
    }

    /** What the topic's own policy says; empty where it has none. */
    private static String policy(PulsarAdmin admin, String topic, String policy) {
        String what = "tell the " + policy + " of topic '" + topic + "'";
        return admin.fine(admin.get(admin.topic(topic) + "/" + policy, what), what)
                .body();
    }

    @Test
    void aNamespaceThatIsNotThereIsRefusedByName() {
        assertThatThrownBy(() -> PULSAR.connect(server.options().with("namespace", "public/nowhere")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("public/nowhere");
    }

    @Test
    void forcingToTheDiskIsReadBackFromTheLiveBookie() {
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("settings", 2));
            EffectiveSettings settings = client.effectiveSettings("settings");
            assertThat(settings.serverVersion()).isEqualTo("4.0.8");
            assertThat(settings.fsync()).contains("journalSyncData=false");
            assertThat(settings.sync()).isEqualTo(EffectiveSettings.Sync.LATER);
            assertThat(settings.others())
                    .containsEntry("brokerDeduplicationEnabled", "true")
                    .containsEntry("partitions", "2");
        }
        try (BrokerClient client = PULSAR.connect(server.options().with("bookie", ""))) {
            EffectiveSettings settings = client.effectiveSettings("settings");
            assertThat(settings.fsync()).contains("brokers do not tell");
            assertThat(settings.sync()).isEqualTo(EffectiveSettings.Sync.UNKNOWN);
        }
    }

    @Test
    void thePageOfABrokerHasTheMetricsThatAlertsAndDashboardsAskForOfTheTopicThatTheyAskFor() throws Exception {
        PulsarOptions options = PulsarOptions.bind(server.options());
        String partition = options.partition("readings", 0);
        try (BrokerClient client = PULSAR.connect(server.options());
                PulsarClient foreign =
                        PulsarClient.builder().serviceUrl(options.serviceUrl()).build()) {
            client.createTopic(TopicSpec.of("readings", 1));
            try (var consumer = foreign.newConsumer()
                    .topic(partition)
                    .subscriptionName("group")
                    .subscribe()) {
                publish(client, "readings", List.of("a", "b"));
                assertThat(consumer.isConnected()).isTrue();
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create(server.options().get("admin").orElseThrow() + "/metrics/"))
                        .timeout(BOUND)
                        .build();
                String scrape = HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                MetricTable table = MetricTable.ofBroker("pulsar");
                assertThat(table.of("broker")).hasSizeGreaterThan(5);
                assertThat(table.missing("broker", scrape)).isEmpty();
                assertThat(scrape.lines())
                        .anyMatch(line -> line.startsWith("pulsar_subscription_back_log{")
                                && line.contains("/readings-partition-0\"")
                                && line.contains("subscription=\"group\""));
            }
        }
    }

    @Test
    void behindALedgerThatIsGoneTheCountOfMessagesTellsWhetherAnyWasBetween() {
        PulsarOptions options = PulsarOptions.bind(server.options());
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("quiet", 1));
            List<Position> stored = publish(client, "quiet", List.of("0", "1", "2"));
            PartitionSplit rest = new PartitionSplit("quiet", 0, null, null).behind(stored.get(2), 2);
            try (GroupReader reader = client.groupReader("quiet", "group", new StartFrom.Earliest())) {
                assertThat(texts(reader, 3)).containsExactly("0", "1", "2");
                reader.commit(Map.of(0, stored.get(2)));
            }
            QuietTopic.dropWhatIsConfirmed(options, "quiet");
            PartitionSplit bounded = new PartitionSplit("quiet", 0, null, stored.get(2)).behind(stored.get(0), 0);
            assertGone(options, bounded);
            publish(client, "quiet", List.of("3", "4"));
            assertThat(rest(options, rest)).containsExactly("3", "4");
            assertGone(options, bounded);
            assertGone(options, rest.behind(stored.get(1), 1));
            assertGone(options, rest.behind(stored.get(2), PayloadChunk.NOT_COUNTED));
        }
    }

    private static void assertGone(PulsarOptions options, PartitionSplit split) {
        assertThatThrownBy(() -> rest(options, split))
                .hasMessageContaining("topic 'quiet', partition 0")
                .hasMessageContaining("no longer there");
    }

    @Test
    void aPositionBehindTheEndIsOneOfATopicThatWasMadeAnew() {
        PulsarOptions options = PulsarOptions.bind(server.options());
        try (BrokerClient client = PULSAR.connect(server.options())) {
            client.createTopic(TopicSpec.of("anew", 1));
            Position last = publish(client, "anew", List.of("0")).get(0);
            PartitionSplit whole = new PartitionSplit("anew", 0, null, null);
            List.of(
                            whole.behind(new Position(last.major(), PulsarPositions.minor(90, 0)), 500),
                            whole.behind(new Position(last.major() + 90, last.minor()), 500))
                    .forEach(split -> assertThatThrownBy(() -> rest(options, split))
                            .hasMessageContaining("topic 'anew', partition 0")
                            .hasMessageContaining("was made anew"));
        }
    }

    /** The two messages that a split still has. */
    private static List<String> rest(PulsarOptions options, PartitionSplit split) {
        try (GroupReader reader = PulsarGroupReader.open(options, split.topic(), "group", Map.of(0, split))) {
            return texts(reader, 2);
        }
    }

    private static List<String> texts(GroupReader reader, int count) {
        List<String> values = new ArrayList<>();
        until(count + " were read", () -> {
            reader.poll().forEach(chunk -> addTexts(chunk, values));
            return values.size() >= count;
        });
        return values;
    }

    private static void addTexts(PayloadChunk chunk, List<String> values) {
        for (int i = 0; i < chunk.count(); i++) {
            values.add(new String(chunk.payload(i), StandardCharsets.UTF_8));
        }
    }

    private static List<Position> publish(BrokerClient client, String topic, List<String> values) {
        List<Position> stored = new CopyOnWriteArrayList<>();
        try (Publisher publisher = client.publisher(topic, "test")) {
            for (String value : values) {
                assertThat(publisher.offer(bytes("key"), bytes(value), 0, new StoredReceipts(stored::add)))
                        .isTrue();
            }
            assertThat(publisher.flush(BOUND)).isTrue();
        }
        assertThat(stored).hasSize(values.size());
        return stored;
    }

    private static List<String> read(BrokerClient client, String topic, int count) {
        List<String> values = new ArrayList<>();
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            until(count + " were read", () -> {
                subscriber.poll(Duration.ofMillis(500)).forEach(chunk -> addTexts(chunk, values));
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
