package dev.millrace.brokers.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.PulsarClient;

/** Topics, positions and settings by way of the broker's administration; what reads and publishes has clients of its own. */
final class PulsarBrokerClient implements BrokerClient {
    private static final int LISTENER_BOUND_MILLIS = 5_000;
    private static final long LISTENER_PAUSE_MILLIS = 200;

    private final PulsarOptions options;
    private final PulsarClient client;
    private final PulsarAdmin admin;
    private final PulsarTopics topics;
    private final PulsarLag lag;

    private PulsarBrokerClient(PulsarOptions options, PulsarClient client, PulsarAdmin admin) {
        this.client = client;
        this.options = options;
        this.admin = admin;
        this.topics = new PulsarTopics(options, admin);
        this.lag = new PulsarLag(admin);
    }

    /**
     * Asks administration and broker once each: one of them may be somebody else's, or silent. The administration first, since
     * it says at once what the client of the broker tries again and again: that a certificate is not trusted, or a login wrong.
     * But not before somebody listens at the broker's address: on the usual port of an administration another cluster's may
     * answer.
     */
    static PulsarBrokerClient connect(PulsarOptions options) {
        awaitListener(options.address());
        PulsarAdmin admin = new PulsarAdmin(options);
        requireNamespace(options, admin);
        PulsarClient client = PulsarClients.client(options);
        try {
            CompletableFuture<List<String>> any = client.getPartitionsForTopic(options.topic("any"), false);
            PulsarCalls.await(
                    any.exceptionally(PulsarCalls.unlessMissing(List.of())),
                    options.address(),
                    "tell a topic's partitions");
            return new PulsarBrokerClient(options, client, admin);
        } catch (RuntimeException e) {
            // A client that is just trying takes its time to stop; the sentence need not wait for that.
            Thread closing = new Thread(() -> PulsarClients.close(client), "pulsar-client-close");
            closing.setDaemon(true);
            closing.start();
            throw e;
        }
    }

    private static void awaitListener(String address) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PulsarClients.BOUND_SECONDS);
        while (Stream.of(address.split(",")).noneMatch(PulsarBrokerClient::listens)) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new EnvironmentException("no Pulsar answers at " + address + " within "
                        + PulsarClients.BOUND_SECONDS + " s: nobody listens there");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LISTENER_PAUSE_MILLIS));
        }
    }

    private static boolean listens(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1))),
                    LISTENER_BOUND_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void requireNamespace(PulsarOptions options, PulsarAdmin admin) {
        String tenant = options.namespace().substring(0, options.namespace().indexOf('/'));
        for (JsonNode namespace :
                admin.read("/admin/v2/namespaces/" + tenant, "tell the namespaces of tenant '" + tenant + "'")) {
            if (namespace.asText().equals(options.namespace())) {
                return;
            }
        }
        throw new UserException("Pulsar at " + options.admin() + " has no namespace '" + options.namespace()
                + "'; make it, or name another with the option namespace");
    }

    @Override
    public void createTopic(TopicSpec spec) {
        topics.create(spec);
    }

    @Override
    public void deleteTopic(String topic) {
        topics.delete(topic);
    }

    @Override
    public void addPartitions(String topic, int partitions) {
        topics.addPartitions(topic, partitions);
    }

    @Override
    public int partitions(String topic) {
        return topics.partitions(topic);
    }

    @Override
    public Publisher publisher(String topic, String name) {
        return PulsarPublisher.open(
                options, topic, name, endPositions(topic), PulsarSettingsReader.largestMessageBytes(admin));
    }

    @Override
    public Subscriber subscriber(String topic, StartFrom startFrom) {
        int partitions = topics.existing(topic);
        Map<Integer, Position> from = start(topic, startFrom, partitions);
        return PulsarSubscriber.open(client, options, topic, partitions, from);
    }

    @Override
    public GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom) {
        int partitions = topics.existing(topic);
        return PulsarGroupReader.open(options, topic, readerGroup, partitions, start(topic, startFrom, partitions));
    }

    /** Partitions that are not named begin at their oldest record. */
    private Map<Integer, Position> start(String topic, StartFrom startFrom, int partitions) {
        // Settled here: a reader that connects again before its first message would begin at the new end.
        Map<Integer, Position> from = startFrom instanceof StartFrom.Latest
                ? endPositions(topic)
                : startFrom instanceof StartFrom.At at ? at.positions() : Map.of();
        from.forEach((partition, position) -> {
            if (partition < partitions) {
                topics.requireStillThere(topic, partition, position);
            }
        });
        return from;
    }

    @Override
    public Map<Integer, Position> endPositions(String topic) {
        Map<Integer, Position> ends = new TreeMap<>();
        for (int partition = 0, count = topics.existing(topic); partition < count; partition++) {
            ends.put(partition, topics.end(topic, partition));
        }
        return ends;
    }

    @Override
    public long lag(String topic, String readerGroup) {
        long sum = 0;
        for (int partition = 0, count = topics.existing(topic); partition < count; partition++) {
            sum += lag.of(topic, partition, readerGroup);
        }
        return sum;
    }

    @Override
    public void deleteReaderGroup(String topic, String readerGroup) {
        topics.deleteSubscription(topic, readerGroup);
    }

    @Override
    public EffectiveSettings effectiveSettings(String topic) {
        return PulsarSettingsReader.read(options, admin, topic, topics.existing(topic));
    }

    @Override
    public void close() {
        PulsarClients.close(client);
    }
}
