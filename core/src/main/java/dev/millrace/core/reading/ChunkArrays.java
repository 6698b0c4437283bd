package dev.millrace.core.reading;

import java.util.Arrays;

/**
 * What a {@link PayloadChunk} lies in. Once a chunk is read, whoever made the arrays may use them again for another one; so
 * nobody keeps a chunk that was handed to him, but a {@link PayloadChunk#copy}.
 *
 * @param bytes the payloads, and possibly bytes between them that belong to none
 * @param borrowed whether {@code bytes} is somebody else's: then only the others are used again
 * @param starts for each record, the index in {@code bytes} of its payload's first byte
 * @param ends for each record, the index just after its payload
 * @param brokerTimestamps for each record, when the broker took it, epoch milliseconds
 * @param positionMinors for each record, {@link Position#minor()}, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // It is the arrays that this is about; equality is by identity of the chunk.
public record ChunkArrays(
        byte[] bytes, boolean borrowed, int[] starts, int[] ends, long[] brokerTimestamps, long[] positionMinors) {

    /** Of nothing. */
    public static final ChunkArrays NONE =
            new ChunkArrays(new byte[0], false, new int[0], new int[0], new long[0], new long[0]);

    /** How many records there is room for. */
    public int records() {
        return starts.length;
    }

    /** These, or larger ones with the same content, so that there is room for at least so many records. */
    public ChunkArrays withRecords(int least) {
        if (least <= starts.length) {
            return this;
        }
        return new ChunkArrays(
                bytes,
                borrowed,
                Arrays.copyOf(starts, least),
                Arrays.copyOf(ends, least),
                Arrays.copyOf(brokerTimestamps, least),
                Arrays.copyOf(positionMinors, least));
    }

    /** These, or with a larger array of the same content, so that there is room for at least so many bytes. */
    public ChunkArrays withBytes(int least) {
        if (least <= bytes.length) {
            return this;
        }
        return new ChunkArrays(Arrays.copyOf(bytes, least), false, starts, ends, brokerTimestamps, positionMinors);
    }

    /** These with somebody else's bytes; its own are dropped. */
    public ChunkArrays borrowing(byte[] others) {
        return new ChunkArrays(others, true, starts, ends, brokerTimestamps, positionMinors);
    }

    /** These without bytes that are not their own. */
    public ChunkArrays own() {
        return borrowed ? new ChunkArrays(NONE.bytes, false, starts, ends, brokerTimestamps, positionMinors) : this;
    }
}
