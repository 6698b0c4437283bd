package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Packs payloads of one partition into a chunk, each copied once. Reusable after {@link #build}; not thread-safe. */
public final class ChunkBuilder {
    private static final int FIRST_RECORDS = 256;

    private final int partition;
    private final int firstBytes;
    private final @Nullable ChunkPool pool;
    private byte[] bytes;
    private int[] ends;
    private long[] timestamps;
    private long[] minors;
    private long major;
    private int count;
    private int size;

    /** @param expectedBytes what a chunk usually holds; it grows when need be */
    public ChunkBuilder(int partition, int expectedBytes) {
        this(partition, expectedBytes, null);
    }

    /** @param pool where memory comes from and where it goes when a chunk is recycled; shared with other builders */
    public ChunkBuilder(int partition, int expectedBytes, @Nullable ChunkPool pool) {
        this.partition = partition;
        this.firstBytes = expectedBytes;
        this.pool = pool;
        begin(ChunkPool.NOTHING);
    }

    private void begin(ChunkPool.Arrays arrays) {
        bytes = arrays.bytes();
        ends = arrays.ends();
        timestamps = arrays.timestamps();
        minors = arrays.minors();
        count = 0;
        size = 0;
    }

    /** The number of payloads packed so far. */
    public int count() {
        return count;
    }

    /** Their bytes so far. */
    public int size() {
        return size;
    }

    /**
     * Whether a record of that {@link dev.millrace.core.reading.Position#major()} may be added: all records of a chunk share
     * it.
     */
    public boolean takes(long positionMajor) {
        return count == 0 || major == positionMajor;
    }

    /** Adds what is left in {@code payload}; null is an empty payload. */
    public void add(ByteBuffer payload, long timestampMillis, long positionMajor, long positionMinor) {
        int length = payload == null ? 0 : payload.remaining();
        int at = open(length, timestampMillis, positionMajor, positionMinor);
        if (length > 0) {
            payload.get(bytes, at, length);
        }
    }

    /** Adds {@code length} bytes of {@code payload}. */
    public void add(
            byte[] payload, int offset, int length, long timestampMillis, long positionMajor, long positionMinor) {
        int at = open(length, timestampMillis, positionMajor, positionMinor);
        System.arraycopy(payload, offset, bytes, at, length);
    }

    private int open(int length, long timestampMillis, long positionMajor, long positionMinor) {
        if (!takes(positionMajor)) {
            throw new IllegalArgumentException("a chunk of " + major + " does not take a record of " + positionMajor);
        }
        if (count == 0 && pool != null) {
            begin(pool.take());
        }
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, Math.max(firstBytes, bytes.length * 2)));
        }
        if (count == ends.length) {
            int room = Math.max(FIRST_RECORDS, count * 2);
            ends = Arrays.copyOf(ends, room);
            timestamps = Arrays.copyOf(timestamps, room);
            minors = Arrays.copyOf(minors, room);
        }
        int at = size;
        size += length;
        ends[count] = size;
        timestamps[count] = timestampMillis;
        minors[count] = positionMinor;
        major = positionMajor;
        count++;
        return at;
    }

    /** The chunk; the builder is empty afterwards. */
    public PayloadChunk build(boolean atEnd) {
        ChunkPool.Arrays arrays = new ChunkPool.Arrays(bytes, ends, timestamps, minors);
        Runnable whenDone = pool == null || count == 0 ? null : () -> pool.give(arrays);
        PayloadChunk chunk =
                new PayloadChunk(partition, count, bytes, ends, timestamps, major, minors, atEnd, whenDone);
        // The arrays belong to the task now; others are taken when they are needed.
        begin(ChunkPool.NOTHING);
        return chunk;
    }
}
