package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.ChunkArrays;
import dev.millrace.core.reading.PayloadChunk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Packs payloads of one partition into a chunk: each copied once, or none of them where they all lie in one array already.
 * Reusable after {@link #build}; not thread-safe.
 */
public final class ChunkBuilder {
    private static final int FIRST_RECORDS = 256;
    /** Free room with which a stream is read. */
    private static final int STREAM_BYTES = 16 << 10;

    private final int partition;
    private final int firstBytes;
    private final ChunkPool pool;
    private ChunkArrays arrays = ChunkArrays.NONE;
    private byte[] bytes = arrays.bytes();
    private long major;
    private int count;
    private int size;

    /**
     * @param expectedBytes what a chunk usually holds; it grows when need be
     * @param pool where the chunks' arrays come from
     */
    public ChunkBuilder(int partition, int expectedBytes, ChunkPool pool) {
        this.partition = partition;
        this.firstBytes = expectedBytes;
        this.pool = pool;
    }

    /** One whose chunks are kept, so that every chunk has new arrays. */
    public ChunkBuilder(int partition, int expectedBytes) {
        this(partition, expectedBytes, new ChunkPool());
    }

    /** The number of payloads packed so far. */
    public int count() {
        return count;
    }

    /** Their bytes so far, with what was copied in between them. */
    public int size() {
        return size;
    }

    /** The array in which spans lie. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Whether a record of that {@link dev.millrace.core.reading.Position#major()} may be added: all records of a chunk share
     * it.
     */
    public boolean takes(long positionMajor) {
        return count == 0 || major == positionMajor;
    }

    /** Adds what is left in {@code payload}; null is an empty payload. */
    public void add(@Nullable ByteBuffer payload, long timestampMillis, long positionMajor, long positionMinor) {
        int length = payload == null ? 0 : payload.remaining();
        int at = room(length);
        if (length > 0) {
            payload.get(bytes, at, length);
        }
        size += length;
        span(at, size, timestampMillis, positionMajor, positionMinor);
    }

    /** Adds {@code length} bytes of {@code payload}. */
    public void add(
            byte[] payload, int offset, int length, long timestampMillis, long positionMajor, long positionMinor) {
        int at = room(length);
        System.arraycopy(payload, offset, bytes, at, length);
        size += length;
        span(at, size, timestampMillis, positionMajor, positionMinor);
    }

    /** Copies all that is left in {@code several}, whose payloads are then added as spans; returns where it begins. */
    public int copy(ByteBuffer several) {
        if (count == 0) {
            // What was copied before held no payload.
            size = 0;
        }
        int length = several.remaining();
        int at = room(length);
        several.get(bytes, at, length);
        size += length;
        return at;
    }

    /** The same of all that {@code several} still gives; the stream stays open. */
    public int copy(InputStream several) throws IOException {
        if (count == 0) {
            size = 0;
        }
        int start = size;
        int at = room(STREAM_BYTES);
        for (int read = several.read(bytes, at, bytes.length - at);
                read >= 0;
                read = several.read(bytes, at, bytes.length - at)) {
            size += read;
            at = room(STREAM_BYTES);
        }
        return start;
    }

    /** Lets the payloads of this chunk, which must be empty, be spans of an array that stays as it is while it is read. */
    public void borrow(byte[] others) {
        if (count > 0) {
            throw new IllegalStateException("a chunk that was begun cannot borrow its bytes");
        }
        begin(0);
        arrays = arrays.borrowing(others);
        bytes = others;
        size = others.length;
    }

    /**
     * Lets the payloads of this chunk, which must be empty, be spans of arrays that are its own from now on.
     *
     * @param filled arrays of this builder's pool, of whose bytes {@code length} from {@code start} on are payloads
     * @return {@code start}
     */
    public int adopt(ChunkArrays filled, int start, int length) {
        clear();
        arrays = filled;
        bytes = filled.bytes();
        size = start + length;
        return start;
    }

    /** Adds the bytes from {@code start} (inclusive) to {@code end} (exclusive) of {@link #bytes}. */
    public void span(int start, int end, long timestampMillis, long positionMajor, long positionMinor) {
        if (!takes(positionMajor)) {
            throw new IllegalArgumentException("a chunk of " + major + " does not take a record of " + positionMajor);
        }
        if (count == arrays.records()) {
            arrays = arrays.withRecords(Math.max(FIRST_RECORDS, count * 2));
        }
        arrays.starts()[count] = start;
        arrays.ends()[count] = end;
        arrays.brokerTimestamps()[count] = timestampMillis;
        arrays.positionMinors()[count] = positionMinor;
        major = positionMajor;
        count++;
    }

    /** Drops what was copied, or borrowed, without a record. */
    public void clear() {
        if (count > 0) {
            throw new IllegalStateException("a chunk of " + count + " records is built, not dropped");
        }
        if (arrays != ChunkArrays.NONE) {
            pool.give(arrays);
        }
        empty();
    }

    private void empty() {
        // Others are taken when they are needed.
        arrays = ChunkArrays.NONE;
        bytes = arrays.bytes();
        count = 0;
        size = 0;
    }

    private void begin(int least) {
        if (arrays == ChunkArrays.NONE) {
            arrays = pool.take(least, FIRST_RECORDS);
            bytes = arrays.bytes();
        }
    }

    /** Where the next bytes go; there is room for so many. */
    private int room(int length) {
        if (size + length > bytes.length) {
            begin(Math.max(length, firstBytes));
            arrays = arrays.withBytes(
                    size + length <= bytes.length ? bytes.length : Math.max(size + length, bytes.length * 2));
            bytes = arrays.bytes();
        }
        return size;
    }

    /** The chunk; the builder is empty afterwards. */
    public PayloadChunk build(boolean atEnd) {
        return build(atEnd, PayloadChunk.NOT_COUNTED);
    }

    /** @param lastIndex see {@link PayloadChunk#lastIndex()} */
    public PayloadChunk build(boolean atEnd, long lastIndex) {
        PayloadChunk chunk = new PayloadChunk(partition, count, arrays, major, atEnd, lastIndex, pool::give);
        // The arrays belong to the task now.
        empty();
        return chunk;
    }
}
