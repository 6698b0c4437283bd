package dev.millrace.deploy.local.supervisor;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.ReadProgress;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.reading.UndecodableException;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at where each partition of a topic begins. */
final class OldestReadings {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration BOUND = Duration.ofSeconds(20);

    private OldestReadings() {}

    /**
     * The event time, epoch milliseconds, from which on every partition still has all its readings, if each is at most {@code
     * outOfOrderness} behind one before it, or they lie in the order in which they were to be sent. {@link Long#MIN_VALUE} when
     * there is none.
     */
    static long completeFrom(BrokerClient client, String topic, Duration outOfOrderness) {
        Map<Integer, Long> first = new HashMap<>();
        ReadProgress progress = new ReadProgress(client.endPositions(topic), Map.of());
        int partitions = client.partitions(topic);
        long deadline = System.nanoTime() + BOUND.toNanos();
        int silent = 0;
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.Earliest())) {
            // An empty partition may never say that it is at its end: two silent polls do as well.
            while (first.size() < partitions && !progress.isAtEnd() && silent < 2) {
                if (System.nanoTime() > deadline) {
                    throw new EnvironmentException("topic '" + topic + "' did not show its oldest readings within "
                            + BOUND.toSeconds() + " s");
                }
                List<PayloadChunk> chunks = subscriber.poll(POLL);
                silent = chunks.isEmpty() ? silent + 1 : 0;
                for (PayloadChunk chunk : chunks) {
                    progress.read(chunk);
                    if (!first.containsKey(chunk.partition())) {
                        lookAt(chunk, first, outOfOrderness);
                    }
                }
            }
        }
        if (first.size() < partitions && !progress.isAtEnd()) {
            // The silence of a broker that has died is no end; that one does not answer this either.
            client.endPositions(topic);
        }
        return first.values().stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE);
    }

    /** Notes by the partition's first reading from when on it has all. */
    private static void lookAt(PayloadChunk chunk, Map<Integer, Long> first, Duration outOfOrderness) {
        ReadingDecoder decoder = new ReadingDecoder(null);
        DecodedReading reading = new DecodedReadings().get(0);
        for (int i = 0; i < chunk.count(); i++) {
            try {
                decoder.decode(chunk.bytes(), chunk.start(i), chunk.end(i), reading);
                // A late one says little of those that were dropped before it: they were on time, and to be sent before
                // it.
                long sent = Math.floorDiv(reading.intendedSendTime(), 1000) + 1;
                first.put(chunk.partition(), Math.max(reading.eventTime() + outOfOrderness.toMillis(), sent));
                return;
            } catch (UndecodableException e) {
                // A stranger's payload has no event time; the next one may be a reading.
                continue;
            }
        }
    }
}
