package dev.millrace.perf.jmh;

import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.generate.Shape;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;

/** What a reader hands to the task: readings of 300 bytes that do not compress, the devices in random order. */
final class ReadingChunks {
    /** As many as a poll brings. */
    static final int CHUNK_READINGS = 5_000;

    /** Enough that a chunk has left the cache when it comes again. */
    private static final int LEAST_CHUNKS = 16;

    private static final long START_MICROS = 1_750_000_000_000_000L;
    private static final long READINGS_PER_SECOND = 1_000_000;

    private ReadingChunks() {}

    static ReadingGenerator generator(int devices) {
        // Two seconds are more readings than any benchmark keeps.
        return new ReadingGenerator(
                GeneratorSettings.of(1, devices),
                Shape.constant(READINGS_PER_SECOND).schedule(START_MICROS, 2));
    }

    /** Each device at least once. */
    static PayloadChunk[] of(int devices) {
        ReadingGenerator generator = generator(devices);
        PayloadChunk[] chunks =
                new PayloadChunk[Math.max(LEAST_CHUNKS, (devices + CHUNK_READINGS - 1) / CHUNK_READINGS)];
        ReadingEncoder encoder = new ReadingEncoder();
        Reading reading = new Reading();
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = chunk(generator, (long) i * CHUNK_READINGS, encoder, reading);
        }
        return chunks;
    }

    private static PayloadChunk chunk(
            ReadingGenerator generator, long firstIndex, ReadingEncoder encoder, Reading reading) {
        encoder.clear();
        int[] ends = new int[CHUNK_READINGS];
        long[] timestamps = new long[CHUNK_READINGS];
        long[] positions = new long[CHUNK_READINGS];
        for (int i = 0; i < CHUNK_READINGS; i++) {
            generator.reading(firstIndex + i, reading);
            ends[i] = encoder.append(reading);
            timestamps[i] = reading.eventTime;
            positions[i] = firstIndex + i;
        }
        return new PayloadChunk(0, CHUNK_READINGS, encoder.toByteArray(), ends, timestamps, 0, positions, false);
    }
}
