package dev.millrace.deploy.local.part;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.StackSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does once, with one payload and a topic for the purpose, all that a stack will do with a person's broker: what the broker
 * lacks, or does not allow, is a sentence before anything is started.
 */
final class ForeignBrokerCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignBrokerCheck.class);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long RETENTION_BYTES = 64L << 20;
    private static final Duration RETENTION = Duration.ofHours(1);
    /** Long ago: a broker that takes it for the record's age would remove readings before their time. */
    private static final long EVENT_TIME_MILLIS = 1;

    private final BrokerClient client;
    private final StackSettings settings;
    private final ForeignTopics topics;
    private final String topic;

    ForeignBrokerCheck(BrokerClient client, StackSettings settings, ForeignTopics topics) {
        this.client = client;
        this.settings = settings;
        this.topics = topics;
        this.topic = settings.text("topic-prefix") + "check";
    }

    void run() {
        topics.make(client, new TopicSpec(topic, 1, settings.replicas(), RETENTION_BYTES, RETENTION));
        byte[] payload = new byte[settings.payloadBytes()];
        Arrays.fill(payload, (byte) 'x');
        publish(payload);
        readBack(payload);
        client.lag(topic, settings.readerGroup());
        topics.remove(client, topic);
    }

    private void publish(byte[] payload) {
        try (Publisher publisher = client.publisher(topic, "check")) {
            if (payload.length > publisher.largestPayloadBytes()) {
                throw new UserException("'payload-bytes' is " + payload.length + ", but " + broker()
                        + " takes at most " + publisher.largestPayloadBytes() + " bytes; ask for smaller readings, or"
                        + " raise the broker's limit");
            }
            Fate fate = new Fate();
            if (!publisher.offer(new byte[] {'k'}, payload, EVENT_TIME_MILLIS, fate)) {
                throw new EnvironmentException(broker() + " does not take a payload");
            }
            String refusal = fate.refusal.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            if (!refusal.isEmpty()) {
                throw new EnvironmentException(broker() + " does not store a payload: " + refusal);
            }
        } catch (TimeoutException e) {
            throw new EnvironmentException(
                    broker() + " did not acknowledge a payload within " + BOUND.toSeconds() + " s", e);
        } catch (InterruptedException | ExecutionException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while " + broker() + " was checked", e);
        }
    }

    private void readBack(byte[] payload) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            while (System.nanoTime() < deadline) {
                for (PayloadChunk chunk : subscriber.poll(Duration.ofSeconds(1))) {
                    if (chunk.count() > 0) {
                        check(chunk, payload);
                        return;
                    }
                }
            }
        }
        throw new EnvironmentException(
                "a payload that " + broker() + " has stored could not be read within " + BOUND.toSeconds() + " s");
    }

    private void check(PayloadChunk chunk, byte[] payload) {
        if (chunk.count() != 1 || !Arrays.equals(chunk.payload(0), payload)) {
            throw new EnvironmentException(broker() + " gives back something else than it has stored");
        }
        if (chunk.brokerTimestamp(0) == EVENT_TIME_MILLIS) {
            checkAge();
        }
    }

    /** Readings of now have both times nearly alike. */
    private void checkAge() {
        boolean sentWhenDue = settings.values().get("start").isEmpty() && settings.acceleration() == 1;
        if (!sentWhenDue) {
            throw new EnvironmentException(broker() + " counts a reading's age from its event time and cannot be told"
                    + " to count from its arrival: it would remove old readings before they are read; leave"
                    + " --start and --acceleration out");
        }
        LOG.warn("{} counts a reading's age from its event time, not from its arrival", broker());
    }

    private String broker() {
        return "the broker at " + settings.text("address");
    }

    /** Completes with an empty text, or with why the payload is not known to be stored. */
    private static final class Fate implements Publisher.Receipt {
        private final CompletableFuture<String> refusal = new CompletableFuture<>();

        @Override
        public void stored(int partition, Position position) {
            refusal.complete("");
        }

        @Override
        public void refused(String sentence) {
            refusal.complete(sentence);
        }

        @Override
        public void unknown(String sentence) {
            refusal.complete(sentence);
        }
    }
}
