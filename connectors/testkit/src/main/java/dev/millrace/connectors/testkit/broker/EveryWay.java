package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.testkit.flink.LocalFlink;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Goes every way into a broker once: for a server whose start is not the plugin's, such as one that wants a login. What each way
 * must do in full is the contract's.
 */
public final class EveryWay {
    private static final int COUNT = 100;
    private static final int PARTITIONS = 2;

    private final Broker broker;
    private final Options options;
    private final Duration bound;

    /** @param bound what a single step may take */
    public EveryWay(Broker broker, Options options, Duration bound) {
        this.broker = broker;
        this.options = options;
        this.bound = bound;
    }

    /**
     * Makes the topic, publishes, subscribes, reads by a source, writes by a sink, asks for settings and lag, and removes it all;
     * nothing that is logged meanwhile holds {@code secret}.
     */
    public void go(String topic, String secret) throws Exception {
        try (LoggedText logged = new LoggedText()) {
            go(topic);
            assertThat(logged.text()).isNotEmpty().doesNotContain(secret);
        }
    }

    private void go(String topic) throws Exception {
        try (BrokerClient client = broker.connect(options)) {
            client.createTopic(new TopicSpec(topic, PARTITIONS, 0, 64 << 20, Duration.ofHours(1)));
            publish(client, topic);
            assertThat(subscribed(client, topic, COUNT)).hasSize(COUNT);
            readAndConfirm(client, topic);
            sink(topic);
            assertThat(subscribed(client, topic, 2 * COUNT).stream().distinct()).hasSize(2 * COUNT);
            assertThat(client.effectiveSettings(topic).serverVersion()).isNotBlank();
            client.deleteReaderGroup(topic, group(topic));
            client.deleteTopic(topic);
            assertThat(client.partitions(topic)).isZero();
        }
    }

    private static String group(String topic) {
        return topic + "-group";
    }

    private void publish(BrokerClient client, String topic) {
        try (Publisher publisher = client.publisher(topic, "every-way")) {
            Receipts receipts = new Receipts();
            for (Message message : Message.numbered(10, 0, COUNT)) {
                Await.until(bound, "an offer was accepted", () -> receipts.offer(publisher, message));
            }
            assertThat(publisher.flush(bound)).isTrue();
            assertThat(receipts.stored()).hasSize(COUNT);
        }
    }

    private List<String> subscribed(BrokerClient client, String topic, int count) {
        List<String> texts = new ArrayList<>();
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            Await.until(bound, count + " records were read", () -> {
                texts.addAll(Stored.texts(Stored.of(subscriber.poll(Duration.ofMillis(200)))));
                return texts.size() >= count;
            });
        }
        return texts;
    }

    private void readAndConfirm(BrokerClient client, String topic) {
        SourceSpec spec = SourceSpec.of(topic, group(topic));
        try (SourceHarness<?, ?> source = SourceHarness.open(broker.source(options, spec), null, bound)) {
            source.untilRecords(COUNT);
            source.complete(source.checkpoint());
            source.until("nothing is behind", harness -> client.lag(topic, group(topic)) == 0);
        }
    }

    private void sink(String topic) throws Exception {
        StreamExecutionEnvironment flink = LocalFlink.environment(1);
        flink.fromSequence(1, COUNT)
                .sinkTo(broker.sink(options, new SinkSpec<>(topic, new SinkChapter.NumberEncoder())));
        flink.execute("every way");
    }
}
