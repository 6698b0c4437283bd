package dev.millrace.connectors.generator;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.ReadProgress;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Settles the fate of sends after a crash: what is in the topic is sent, what is not is not. Begins once nothing is being
 * appended any more (what the dead process had on the wire has arrived or never will).
 */
final class ReadBack {
    private static final long STABLE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long BOUND_NANOS = Duration.ofMinutes(2).toNanos();
    /** Only for clients whose positions do not count by one and which do not say that they stand at the end. */
    private static final long QUIET_NANOS = Duration.ofSeconds(20).toNanos();

    private static final Duration POLL = Duration.ofMillis(200);

    private final BrokerClient client;
    private final String topic;
    private final ReadingGenerator generator;
    /** A broker that takes longer to tell where its partitions end was not there. */
    private static final long AWAY_NANOS = 1_000_000_000L;

    private final Schedule schedule;
    private final Acknowledgements acknowledgements;
    private final boolean hasOthers;
    private final BooleanSupplier stopping;
    private BinaryDecoder decoder;
    private long found;

    /** @param hasOthers whether other generators write to the topic, and go on while this one reads */
    ReadBack(
            BrokerClient client,
            String topic,
            ReadingGenerator generator,
            Schedule schedule,
            Acknowledgements acknowledgements,
            boolean hasOthers,
            BooleanSupplier stopping) {
        this.client = client;
        this.topic = topic;
        this.generator = generator;
        this.schedule = schedule;
        this.acknowledgements = acknowledgements;
        this.hasOthers = hasOthers;
        this.stopping = stopping;
    }

    /** How many readings it found that were not known to be acknowledged. */
    long run(Map<Integer, Position> from) {
        Map<Integer, Position> ends = stableEnds();
        read(from, ends);
        // What a broker that was away had still to take in may have come since.
        if (!hasOthers
                && !stopping.getAsBoolean()
                && !client.endPositions(topic).equals(ends)) {
            read(from, stableEnds());
        }
        return found;
    }

    private void read(Map<Integer, Position> from, Map<Integer, Position> ends) {
        ReadProgress progress = new ReadProgress(ends, from);
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.At(from))) {
            long quietSince = System.nanoTime();
            while (!stopping.getAsBoolean() && !progress.isAtEnd()) {
                boolean came = false;
                for (PayloadChunk chunk : subscriber.poll(POLL)) {
                    came |= chunk.count() > 0;
                    for (int i = 0; i < chunk.count(); i++) {
                        acknowledge(chunk, i);
                    }
                    progress.read(chunk);
                    if (chunk.count() > 0) {
                        quietSince = System.nanoTime();
                    }
                }
                if (!came) {
                    long asked = System.nanoTime();
                    if (!client.endPositions(topic).equals(ends) && !hasOthers) {
                        throw new EnvironmentException(somebodyElse());
                    }
                    long now = System.nanoTime();
                    if (now - asked > AWAY_NANOS) {
                        quietSince = now; // the silence of a broker that is away means nothing
                    } else if (now - quietSince > QUIET_NANOS) {
                        break; // one that answers and has given nothing for so long has nothing
                    }
                }
            }
        }
    }

    private String somebodyElse() {
        return "somebody else keeps writing to topic '" + topic + "', so that it cannot be read back; stop that writer";
    }

    private Map<Integer, Position> stableEnds() {
        Map<Integer, Position> ends = client.endPositions(topic);
        long since = System.nanoTime();
        long deadline = since + BOUND_NANOS;
        while (System.nanoTime() - since < STABLE_NANOS && !stopping.getAsBoolean()) {
            LockSupport.parkNanos(POLL.toNanos());
            long asked = System.nanoTime();
            Map<Integer, Position> now = client.endPositions(topic);
            long answered = System.nanoTime();
            // Among others nothing tells when the last of ours has arrived but the time.
            if (!now.equals(ends)) {
                ends = now;
                since = hasOthers ? since : answered;
            }
            boolean wasAway = answered - asked > AWAY_NANOS;
            if (wasAway) {
                // It takes in now what was sent to it.
                since = answered;
            }
            if (answered > deadline) {
                throw new EnvironmentException(
                        wasAway
                                ? "the broker takes more than a second to say where topic '" + topic
                                        + "' ends, so that it cannot be read back; see what keeps it busy"
                                : somebodyElse());
            }
        }
        return ends;
    }

    private void acknowledge(PayloadChunk chunk, int i) {
        long index = index(chunk, i);
        if (index >= 0 && acknowledgements.found(index, chunk.partition(), chunk.position(i))) {
            found++;
        }
    }

    /** The reading's index in our stream; -1 when it is not of our stream. */
    private long index(PayloadChunk chunk, int i) {
        try {
            int start = chunk.start(i);
            decoder = DecoderFactory.get().binaryDecoder(chunk.bytes(), start, chunk.end(i) - start, decoder);
            Utf8 deviceId = decoder.readString(null);
            decoder.skipString();
            decoder.skipString();
            decoder.skipString();
            long sequence = decoder.readLong();
            decoder.readLong();
            long intendedSendTime = decoder.readLong();
            long index = generator.index(deviceId.toString(), sequence);
            return index >= 0 && schedule.timeMicros(index) == intendedSendTime ? index : -1;
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
            return -1; // not a reading: somebody else's payload, which the job reports
        }
    }
}
