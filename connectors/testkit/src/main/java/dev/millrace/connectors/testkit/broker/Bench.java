package dev.millrace.connectors.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Capability;
import dev.millrace.connectors.api.broker.LocalBroker;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.Source;
import org.jspecify.annotations.Nullable;

/** The broker under test with its one local server, and what nearly every sentence does with them. */
final class Bench implements AutoCloseable {
    /** From where on a port for the proxy is looked for: away from the brokers' well-known ones. */
    private static final int INNER_PORT = 42_000;

    private static final AtomicInteger TOPICS = new AtomicInteger();

    private final Subject subject;
    private final Broker broker;
    private final Path directory;
    private final Options localOptions;
    private final Duration bound;
    private final CompletableFuture<Attempt> attemptAtNobody;
    private final LocalBroker local;
    private final Proxy proxy;

    Bench(Subject subject, Path directory) {
        this.subject = subject;
        this.broker = subject.broker();
        this.directory = directory;
        this.localOptions = subject.localOptions();
        this.bound = subject.bound();
        this.attemptAtNobody = connectToNobody(broker);
        if (subject.tellsItsAddress()) {
            int innerPort = Ports.firstFree(INNER_PORT);
            this.proxy = new Proxy(innerPort);
            this.local = broker.startLocal(
                    directory,
                    localOptions
                            .with("inner-port", Integer.toString(innerPort))
                            .with("advertised-port", Integer.toString(proxy.port())));
        } else {
            this.local = broker.startLocal(directory, localOptions);
            this.proxy = new Proxy(
                    Integer.parseInt(local.address().substring(local.address().lastIndexOf(':') + 1)));
        }
    }

    /** How a call ended; {@code failure} is null when it was answered. */
    record Attempt(String address, @Nullable Throwable failure, Duration took) {}

    /** Begun first of all, beside the other sentences: all of its bound passes before it fails. */
    private static CompletableFuture<Attempt> connectToNobody(Broker broker) {
        String address = "127.0.0.1:" + Ports.firstFree(39_000);
        return begin(address, () -> broker.connect(Options.of(Map.of("address", address)))
                .close());
    }

    /** What comes of a call of the server's client, in a thread of its own. */
    CompletableFuture<Attempt> attempt(Runnable call) {
        return begin(local.address(), call);
    }

    private static CompletableFuture<Attempt> begin(String address, Runnable call) {
        CompletableFuture<Attempt> attempt = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    long begin = System.nanoTime();
                    Throwable failure = null;
                    try {
                        call.run();
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                    attempt.complete(new Attempt(address, failure, Duration.ofNanos(System.nanoTime() - begin)));
                },
                "contract-attempt");
        thread.setDaemon(true);
        thread.start();
        return attempt;
    }

    /** What came of a connection to an address where nobody listens. */
    Attempt attemptAtNobody() {
        return attemptAtNobody.orTimeout(60, TimeUnit.SECONDS).join();
    }

    Broker broker() {
        return broker;
    }

    LocalBroker local() {
        return local;
    }

    Path directory() {
        return directory;
    }

    Options localOptions() {
        return localOptions;
    }

    /** What a single step may take. */
    Duration bound() {
        return bound;
    }

    Duration retentionBound() {
        return subject.retentionBound();
    }

    /** How long the server is silent in the sentence about silence. */
    Duration silence() {
        return subject.silence();
    }

    /** How often the source is killed in mid-batch. */
    int kills() {
        return subject.kills();
    }

    /** As {@link #options}, for batches of {@value FaultChapter#BATCH} and chunks that are smaller where that can be. */
    Options optionsOfBatches() {
        return subject.ofBatches(options());
    }

    /** How many batches of the topic the server holds; empty where it does not store batches. */
    OptionalLong storedBatches(String topic) {
        return subject.storedBatches(local, topic);
    }

    Options options() {
        return local.options();
    }

    /** Between {@link #proxiedOptions} and the server. */
    Proxy proxy() {
        return proxy;
    }

    /** As {@link #options}, for clients that reach the server through the proxy only. */
    Options proxiedOptions() {
        return options().with("address", proxy.address());
    }

    boolean can(Capability capability) {
        return broker.capabilities().contains(capability);
    }

    BrokerClient connect() {
        return broker.connect(options());
    }

    /** A name that no other topic of this class has. */
    String freshName() {
        return "contract-" + TOPICS.incrementAndGet();
    }

    /** For a day: nothing that a sentence writes goes meanwhile. */
    TopicSpec spec(String name, int partitions) {
        return new TopicSpec(name, partitions, 1, subject.topicBytes(), Duration.ofHours(24));
    }

    /** Makes a topic under a fresh name. */
    String topic(int partitions) {
        String name = freshName();
        try (BrokerClient client = connect()) {
            client.createTopic(spec(name, partitions));
        }
        return name;
    }

    /** Makes a topic and publishes to it {@code count} numbered messages of ten keys. */
    String filledTopic(int partitions, int count) {
        String topic = topic(partitions);
        publish(topic, Message.numbered(10, 0, count));
        return topic;
    }

    /** Publishes all of them and waits until they are stored. */
    Receipts publish(String topic, List<Message> messages) {
        return publish(options(), topic, messages);
    }

    /** As {@link #publish(String, List)}, with options of one's own. */
    Receipts publish(Options options, String topic, List<Message> messages) {
        try (BrokerClient client = broker.connect(options);
                Publisher publisher = client.publisher(topic, "contract")) {
            return publish(publisher, messages);
        }
    }

    /** As {@link #publish(String, List)}, by a publisher that goes on. */
    Receipts publish(Publisher publisher, List<Message> messages) {
        Receipts receipts = offerAll(publisher, messages);
        assertThat(publisher.flush(bound)).as("flush within %s", bound).isTrue();
        assertThat(receipts.complete()).as("every offer has a receipt").isTrue();
        assertThat(receipts.outcomes()).allMatch(outcome -> outcome.kind() == Receipts.Kind.STORED);
        return receipts;
    }

    /** Offers all, each again while the buffer is full. */
    Receipts offerAll(Publisher publisher, List<Message> messages) {
        Receipts receipts = new Receipts();
        for (Message message : messages) {
            Await.until(bound, "an offer was accepted", () -> receipts.offer(publisher, message));
        }
        return receipts;
    }

    /** Where each partition ends now; modifiable. */
    Map<Integer, Position> endPositions(String topic) {
        try (BrokerClient client = connect()) {
            return new HashMap<>(client.endPositions(topic));
        }
    }

    /** The position of the oldest record that is still there. */
    Position oldest(String topic) {
        try (BrokerClient client = connect();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            List<Stored> first = new ArrayList<>();
            Await.until(bound, "a record was read", () -> {
                first.addAll(Stored.of(subscriber.poll(Duration.ofMillis(200))));
                return !first.isEmpty();
            });
            return first.get(0).position();
        }
    }

    /** Reads until {@code count} records are there; then a little longer, so that surplus ones show. */
    List<Stored> read(String topic, StartFrom from, int count) {
        try (BrokerClient client = connect();
                Subscriber subscriber = client.subscriber(topic, from)) {
            return read(subscriber, count);
        }
    }

    /** As {@link #read(String, StartFrom, int)}, from the oldest record. */
    List<Stored> read(String topic, int count) {
        return read(topic, new StartFrom.Earliest(), count);
    }

    /** As {@link #read(String, StartFrom, int)}, on an open subscriber. */
    List<Stored> read(Subscriber subscriber, int count) {
        return read(subscriber, records -> records.size() >= count);
    }

    /** What is written at least once: reads until {@code count} different texts are there, then a little longer. */
    Set<String> readDifferent(String topic, int count) {
        try (BrokerClient client = connect();
                Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            return texts(read(
                    subscriber,
                    records -> records.size() >= count && texts(records).size() >= count));
        }
    }

    private static Set<String> texts(List<Stored> records) {
        return records.stream().map(Stored::text).collect(Collectors.toSet());
    }

    private List<Stored> read(Subscriber subscriber, Predicate<List<Stored>> enough) {
        List<Stored> records = new ArrayList<>();
        long deadline = System.nanoTime() + bound.toNanos();
        while (!enough.test(records) && System.nanoTime() < deadline) {
            records.addAll(Stored.of(subscriber.poll(Duration.ofMillis(200))));
        }
        for (int i = 0; i < 2; i++) {
            records.addAll(Stored.of(subscriber.poll(Duration.ofMillis(100))));
        }
        return records;
    }

    /** A source started afresh under the harness. */
    SourceHarness<?, ?> open(Source<PayloadChunk, ?, ?> source) {
        return open(source, null);
    }

    /** A source started from a checkpoint under the harness; null is afresh. */
    SourceHarness<?, ?> open(Source<PayloadChunk, ?, ?> source, SourceHarness.Snapshot snapshot) {
        return SourceHarness.open(source, snapshot, bound);
    }

    @Override
    public void close() {
        proxy.close();
        local.resume();
        local.close();
    }
}
