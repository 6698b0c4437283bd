package dev.millrace.connectors.generator;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
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
    private static final Duration POLL = Duration.ofMillis(200);

    private final BrokerClient client;
    private final String topic;
    private final ReadingGenerator generator;
    private final Schedule schedule;
    private final Acknowledgements acknowledgements;
    private final BooleanSupplier stopping;
    private BinaryDecoder decoder;
    private long found;

    ReadBack(
            BrokerClient client,
            String topic,
            ReadingGenerator generator,
            Schedule schedule,
            Acknowledgements acknowledgements,
            BooleanSupplier stopping) {
        this.client = client;
        this.topic = topic;
        this.generator = generator;
        this.schedule = schedule;
        this.acknowledgements = acknowledgements;
        this.stopping = stopping;
    }

    /** How many readings it found that were not known to be acknowledged. */
    long run(Map<Integer, Position> from) {
        Map<Integer, Position> ends = stableEnds();
        try (Subscriber subscriber = client.subscriber(topic, new StartFrom.At(from))) {
            BitSet atEnd = new BitSet();
            long deadline = System.nanoTime() + BOUND_NANOS;
            long quietSince = System.nanoTime();
            while (!stopping.getAsBoolean() && atEnd.cardinality() < ends.size()) {
                boolean quiet = true;
                for (PayloadChunk chunk : subscriber.poll(POLL)) {
                    for (int i = 0; i < chunk.count(); i++) {
                        acknowledge(chunk, i);
                    }
                    quiet &= chunk.count() == 0;
                    atEnd.set(chunk.partition(), chunk.atEnd());
                }
                long now = System.nanoTime();
                if (!quiet) {
                    quietSince = now;
                    deadline = now + BOUND_NANOS;
                } else if (now - quietSince > STABLE_NANOS
                        && client.endPositions(topic).equals(ends)) {
                    // Not every client says that it stands at the end; a broker that answers and gives nothing says it
                    // too.
                    break;
                }
                if (now > deadline) {
                    throw new EnvironmentException(
                            "reading topic '" + topic + "' back came to a halt; is the broker well?");
                }
            }
        }
        return found;
    }

    private Map<Integer, Position> stableEnds() {
        Map<Integer, Position> ends = client.endPositions(topic);
        long since = System.nanoTime();
        long deadline = since + BOUND_NANOS;
        while (System.nanoTime() - since < STABLE_NANOS && !stopping.getAsBoolean()) {
            LockSupport.parkNanos(POLL.toNanos());
            Map<Integer, Position> now = client.endPositions(topic);
            if (!now.equals(ends)) {
                ends = now;
                since = System.nanoTime();
            }
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException("somebody else keeps writing to topic '" + topic
                        + "', so that it cannot be read back; stop that writer");
            }
        }
        return ends;
    }

    private void acknowledge(PayloadChunk chunk, int i) {
        long index = index(chunk, i);
        if (index >= 0 && acknowledgements.acknowledge(index, chunk.partition(), chunk.position(i))) {
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
