package dev.millrace.core.reading;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run of consecutive records of ONE partition, as a plugin hands them to the job: the payloads' bytes back to back in
 * one array, the end offset of each, each record's broker timestamp and position.
 *
 * <p>A chunk may be empty: then it says only that the reader has reached the partition's end ({@link #atEnd()}), which
 * is what a partition's idleness is built on. All records of a chunk share {@link Position#major()}.
 *
 * <p>Not thread-safe; handed from the reader's thread to the task's thread, and the task's until it asks its reader for the next
 * one: then the reader may {@link #recycle} it. Whoever keeps a chunk for longer keeps a {@link #copy}.
 */
public final class PayloadChunk {
    private final int partition;
    private final int count;
    private final byte[] bytes;
    private final int[] ends;
    private final long[] brokerTimestamps;
    private final long positionMajor;
    private final long[] positionMinors;
    private final boolean atEnd;
    private @Nullable Runnable whenDone;
    private long maxEventTime = Long.MIN_VALUE;

    /**
     * @param partition the partition's number, from 0
     * @param count the number of records; the arrays may be longer
     * @param bytes the payloads, back to back from index 0; may be longer than the last end
     * @param ends for each record, the index in {@code bytes} just after its payload
     * @param brokerTimestamps for each record, when the broker took it, epoch milliseconds
     * @param positionMajor {@link Position#major()} of every record
     * @param positionMinors for each record, {@link Position#minor()}, ascending
     * @param atEnd whether the broker has confirmed that no record stands behind this chunk at the time of reading
     */
    public PayloadChunk(
            int partition,
            int count,
            byte[] bytes,
            int[] ends,
            long[] brokerTimestamps,
            long positionMajor,
            long[] positionMinors,
            boolean atEnd) {
        this(partition, count, bytes, ends, brokerTimestamps, positionMajor, positionMinors, atEnd, null);
    }

    /** @param whenDone takes the arrays back; it may run on any thread */
    public PayloadChunk(
            int partition,
            int count,
            byte[] bytes,
            int[] ends,
            long[] brokerTimestamps,
            long positionMajor,
            long[] positionMinors,
            boolean atEnd,
            @Nullable Runnable whenDone) {
        this.partition = partition;
        this.count = count;
        this.bytes = bytes;
        this.ends = ends;
        this.brokerTimestamps = brokerTimestamps;
        this.positionMajor = positionMajor;
        this.positionMinors = positionMinors;
        this.atEnd = atEnd;
        this.whenDone = whenDone;
    }

    /** The empty chunk that says: this partition's reader stands at the end, as the broker has just confirmed. */
    public static PayloadChunk confirmedEnd(int partition) {
        return new PayloadChunk(partition, 0, new byte[0], new int[0], new long[0], 0, new long[0], true);
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
        return bytes;
    }

    /** The index of the first byte of record {@code i}'s payload. */
    public int start(int i) {
        return i == 0 ? 0 : ends[i - 1];
    }

    /** The index just after the last byte of record {@code i}'s payload. */
    public int end(int i) {
        return ends[i];
    }

    /** When the broker took record {@code i}, epoch milliseconds. */
    public long brokerTimestamp(int i) {
        return brokerTimestamps[i];
    }

    public Position position(int i) {
        return new Position(positionMajor, positionMinors[i]);
    }

    /** The position of the first record; the chunk must not be empty. */
    public Position firstPosition() {
        return position(0);
    }

    /** The position of the last record; the chunk must not be empty. */
    public Position lastPosition() {
        return position(count - 1);
    }

    /** A copy of record {@code i}'s payload. */
    public byte[] payload(int i) {
        return Arrays.copyOfRange(bytes, start(i), end(i));
    }

    /** The same records in arrays of its own. */
    public PayloadChunk copy() {
        byte[] payloads = count == 0 ? new byte[0] : Arrays.copyOf(bytes, ends[count - 1]);
        return new PayloadChunk(
                partition,
                count,
                payloads,
                Arrays.copyOf(ends, count),
                Arrays.copyOf(brokerTimestamps, count),
                positionMajor,
                Arrays.copyOf(positionMinors, count),
                atEnd);
    }

    /** Says that nobody will look at this chunk again: its arrays may be filled with others. Once is enough. */
    public void recycle() {
        Runnable taker = whenDone;
        whenDone = null;
        if (taker != null) {
            taker.run();
        }
    }

    /** Whether the broker has confirmed that this chunk reaches its partition's end. */
    public boolean atEnd() {
        return atEnd;
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
