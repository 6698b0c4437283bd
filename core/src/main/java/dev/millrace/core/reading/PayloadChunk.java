package dev.millrace.core.reading;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of consecutive records of ONE partition, as a plugin hands them to the job: the payloads' bytes in one array, where each
 * begins and ends, each record's broker timestamp and position.
 *
 * <p>A chunk may be empty: then it says only that the reader has reached the partition's end ({@link #atEnd()}), which
 * is what a partition's idleness is built on. All records of a chunk share {@link Position#major()}.
 *
 * <p>Not thread-safe; handed from the reader's thread to the task's thread, and the task's until it asks its reader for the next
 * one: then the reader may {@link #recycle} it. Whoever keeps a chunk for longer keeps a {@link #copy}.
 */
public final class PayloadChunk {
    /** {@link #lastIndex} where the broker does not count records, or nobody has asked it. */
    public static final long NOT_COUNTED = -1;

    private final int partition;
    private final int count;
    private final ChunkArrays arrays;
    private final long positionMajor;
    private final boolean atEnd;
    private final long askedNanos;
    private final boolean unbroken;
    private final long lastIndex;
    private @Nullable Consumer<ChunkArrays> whenDone;
    private long maxEventTime = Long.MIN_VALUE;

    /**
     * @param partition the partition's number, from 0
     * @param count the number of records; the arrays may be longer
     * @param positionMajor {@link Position#major()} of every record
     * @param atEnd whether the broker has confirmed that no record stands behind this chunk at the time of reading
     */
    public PayloadChunk(int partition, int count, ChunkArrays arrays, long positionMajor, boolean atEnd) {
        this(partition, count, arrays, positionMajor, atEnd, NOT_COUNTED, null);
    }

    /**
     * @param lastIndex see {@link #lastIndex()}
     * @param whenDone takes the arrays back; it may be called on any thread
     */
    public PayloadChunk(
            int partition,
            int count,
            ChunkArrays arrays,
            long positionMajor,
            boolean atEnd,
            long lastIndex,
            @Nullable Consumer<ChunkArrays> whenDone) {
        this(partition, count, arrays, positionMajor, atEnd, 0, false, lastIndex, whenDone);
    }

    private PayloadChunk(
            int partition,
            int count,
            ChunkArrays arrays,
            long positionMajor,
            boolean atEnd,
            long askedNanos,
            boolean unbroken,
            long lastIndex,
            @Nullable Consumer<ChunkArrays> whenDone) {
        this.whenDone = whenDone;
        this.partition = partition;
        this.count = count;
        this.arrays = arrays;
        this.positionMajor = positionMajor;
        this.atEnd = atEnd;
        this.askedNanos = askedNanos;
        this.unbroken = unbroken;
        this.lastIndex = lastIndex;
    }

    /** A chunk of payloads that lie back to back from index 0. */
    public PayloadChunk(
            int partition,
            int count,
            byte[] bytes,
            int[] ends,
            long[] brokerTimestamps,
            long positionMajor,
            long[] positionMinors,
            boolean atEnd) {
        this(
                partition,
                count,
                new ChunkArrays(bytes, false, starts(count, ends), ends, brokerTimestamps, positionMinors),
                positionMajor,
                atEnd);
    }

    private static int[] starts(int count, int[] ends) {
        int[] starts = new int[ends.length];
        if (count > 1) {
            System.arraycopy(ends, 0, starts, 1, count - 1);
        }
        return starts;
    }

    /**
     * The empty chunk that says: this partition's reader stands at the end, as the broker has just confirmed.
     *
     * @param askedNanos see {@link #askedNanos()}
     * @param unbroken see {@link #isUnbroken()}
     */
    public static PayloadChunk confirmedEnd(int partition, long askedNanos, boolean unbroken) {
        return new PayloadChunk(partition, 0, ChunkArrays.NONE, 0, true, askedNanos, unbroken, NOT_COUNTED, null);
    }

    public int partition() {
        return partition;
    }

    /** The number of records. */
    public int count() {
        return count;
    }

    /** The array that holds all payloads; read only. */
    public byte[] bytes() {
        return arrays.bytes();
    }

    /** The index of the first byte of record {@code i}'s payload. */
    public int start(int i) {
        return arrays.starts()[i];
    }

    /** The index just after the last byte of record {@code i}'s payload. */
    public int end(int i) {
        return arrays.ends()[i];
    }

    /** When the broker took record {@code i}, epoch milliseconds. */
    public long brokerTimestamp(int i) {
        return arrays.brokerTimestamps()[i];
    }

    public Position position(int i) {
        return new Position(positionMajor, arrays.positionMinors()[i]);
    }

    /** The position of the first record; the chunk must not be empty. */
    public Position firstPosition() {
        return position(0);
    }

    /** The position of the last record; the chunk must not be empty. */
    public Position lastPosition() {
        return position(count - 1);
    }

    /**
     * The number that the broker's own count of the partition's records gave to the last one; {@link #NOT_COUNTED} where it is not
     * known. Unlike a position it tells whether anything was between two records.
     */
    public long lastIndex() {
        return lastIndex;
    }

    /** A copy of record {@code i}'s payload. */
    public byte[] payload(int i) {
        return Arrays.copyOfRange(arrays.bytes(), start(i), end(i));
    }

    /** Gives the arrays back, once: nobody reads this chunk any more. */
    public void recycle() {
        Consumer<ChunkArrays> taker = whenDone;
        whenDone = null;
        if (taker != null) {
            taker.accept(arrays);
        }
    }

    /** The same records in arrays of their own, for whoever keeps them. */
    public PayloadChunk copy() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] ends = new int[count];
        for (int i = 0; i < count; i++) {
            bytes.write(arrays.bytes(), start(i), end(i) - start(i));
            ends[i] = bytes.size();
        }
        ChunkArrays own = new ChunkArrays(
                bytes.toByteArray(),
                false,
                starts(count, ends),
                ends,
                Arrays.copyOf(arrays.brokerTimestamps(), count),
                Arrays.copyOf(arrays.positionMinors(), count));
        PayloadChunk copy =
                new PayloadChunk(partition, count, own, positionMajor, atEnd, askedNanos, unbroken, lastIndex, null);
        copy.maxEventTime = maxEventTime;
        return copy;
    }

    /** Whether the broker has confirmed that this chunk reaches its partition's end. */
    public boolean atEnd() {
        return atEnd;
    }

    /**
     * When the broker was asked for the end that this empty chunk confirms, as {@link System#nanoTime()}: a chunk may wait long for the
     * task, and then it says nothing of that time.
     */
    public long askedNanos() {
        return askedNanos;
    }

    /**
     * Whether the broker, each time it was asked since it confirmed this partition's end before, has confirmed it. Long may have gone
     * by without a question, as when the reader itself had to wait; that is no silence of the broker's.
     */
    public boolean isUnbroken() {
        return unbroken;
    }

    /**
     * The greatest event time of the readings in this chunk, epoch milliseconds, as the decoder found it;
     * {@link Long#MIN_VALUE} before it was decoded and when nothing in it could be.
     */
    public long maxEventTime() {
        return maxEventTime;
    }

    /** Called once by the decoder, which is chained to the source and so runs before the watermark generator. */
    public void maxEventTime(long epochMillis) {
        this.maxEventTime = epochMillis;
    }
}
