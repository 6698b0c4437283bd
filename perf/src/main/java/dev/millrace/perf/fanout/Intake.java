package dev.millrace.perf.fanout;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.reading.UndecodableException;
import dev.millrace.core.settings.EnvironmentException;
import java.util.List;
import java.util.Map;

/**
 * What a task takes from a topic, decoded as an application would, and how far it is. Used by the reading thread, but for {@link
 * #until} and {@link #counts}.
 */
final class Intake {
    private final String topic;
    private final TopicRead read;
    private final ReadingDecoder decoder = new ReadingDecoder(null);
    private final DecodedReading reading = new DecodedReadings().get(0);
    private final Deliveries deliveries = new Deliveries();
    private volatile Map<String, String> counts = Map.of();

    /** @param from where reading begins; partitions that are not named begin at their oldest record */
    Intake(String topic, Map<Integer, Position> from) {
        this.topic = topic;
        this.read = new TopicRead(from);
        note();
    }

    /** The next reading; valid until the next call. Throws EnvironmentException when it is none. */
    DecodedReading take(PayloadChunk chunk, int i) {
        try {
            decoder.decode(chunk.bytes(), chunk.start(i), chunk.end(i), reading);
        } catch (UndecodableException e) {
            throw new EnvironmentException(
                    "topic '" + topic + "', partition " + chunk.partition() + ", position " + chunk.position(i)
                            + " is no reading of the generator: " + e.getMessage(),
                    e);
        }
        deliveries.add(reading.deviceId(), reading.sequence());
        return reading;
    }

    /** All of these is taken. */
    void taken(List<PayloadChunk> chunks) {
        read.add(chunks);
    }

    /** Asks to read up to these ends, which may have been passed already. Thread-safe. */
    void until(Map<Integer, Position> ends) {
        read.until(ends);
    }

    /** Whether ends were asked for, and all before them is taken. */
    boolean isAtEnd() {
        return read.isAtEnd();
    }

    /** The last record of each partition that gave one; a copy. */
    Map<Integer, Position> last() {
        return read.last();
    }

    /** Shows other threads how it stands. */
    void note() {
        counts = Map.of(
                "readings", Long.toString(deliveries.readings()),
                "missing", Long.toString(deliveries.missing()),
                "repeated", Long.toString(deliveries.repeated()),
                "at-end", Boolean.toString(read.isAtEnd()),
                "first", PositionText.of(read.first()));
    }

    /** As of the last {@link #note}. Thread-safe. */
    Map<String, String> counts() {
        return counts;
    }
}
