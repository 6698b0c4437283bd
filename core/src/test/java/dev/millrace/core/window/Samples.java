package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.reading.Status;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.WindowSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Readings and chunks for the tests of this package. */
final class Samples {
    private static final Duration MAX_AHEAD = Duration.ofMinutes(1);

    private Samples() {}

    static Reading reading(String device, long sequence, long eventTime) {
        Reading reading = new Reading();
        reading.deviceId = device;
        reading.sequence = sequence;
        reading.eventTime = eventTime;
        reading.intendedSendTime = eventTime * 1000;
        for (int i = 0; i < reading.measures.length; i++) {
            reading.measures[i] = -(sequence % 1000 + i) / 1024.0;
        }
        reading.status = (int) (sequence % Status.COUNT);
        reading.errorCount = 1;
        reading.packetsSent = sequence;
        return reading;
    }

    static Accumulator of(Reading... readings) {
        Accumulator values = new Accumulator();
        for (Reading reading : readings) {
            values.add(reading);
        }
        return values;
    }

    static SlicePartial partial(WindowSettings window, Reading reading) {
        SlicePartial partial = new SlicePartial();
        partial.deviceId = reading.deviceId;
        partial.sliceEnd = window.sliceEnd(reading.eventTime);
        partial.values = of(reading);
        return partial;
    }

    static PayloadChunk chunk(int partition, long firstPosition, List<Reading> readings) {
        ReadingEncoder encoder = new ReadingEncoder();
        int count = readings.size();
        int[] ends = new int[count];
        long[] timestamps = new long[count];
        long[] positions = new long[count];
        for (int i = 0; i < count; i++) {
            ends[i] = encoder.append(readings.get(i));
            timestamps[i] = readings.get(i).eventTime;
            positions[i] = firstPosition + i;
        }
        return new PayloadChunk(partition, count, encoder.toByteArray(), ends, timestamps, 0, positions, false);
    }

    /** The decoder of the windows. */
    static ChunkDecoder<SlicePartial> decoder(WindowSettings window) {
        return decoder(window, MAX_AHEAD);
    }

    /** @param maxAhead zero: clocks are not looked at */
    static ChunkDecoder<SlicePartial> decoder(WindowSettings window, Duration maxAhead) {
        return new ChunkDecoder<>(settings(window, maxAhead), false, out -> new PreAggregation(1L << 20, out));
    }

    static JobSettings settings(WindowSettings window) {
        return settings(window, MAX_AHEAD);
    }

    private static JobSettings settings(WindowSettings window, Duration maxAhead) {
        return settings(window, maxAhead, null);
    }

    static JobSettings settings(WindowSettings window, Duration maxAhead, @Nullable String writerSchema) {
        return new JobSettings(
                window,
                maxAhead,
                Duration.ofMinutes(2),
                1,
                Duration.ofSeconds(1),
                "",
                JobSettings.StateBackend.HEAP,
                null,
                1L << 20,
                writerSchema);
    }
}
