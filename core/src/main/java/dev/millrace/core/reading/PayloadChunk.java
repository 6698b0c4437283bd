package dev.millrace.core.reading;

/**
 * A run of consecutive records of ONE partition, as a plugin hands them to the job: the payloads' bytes back to back in
 * one array, the end offset of each, each record's broker timestamp and position.
 *
 * <p>A chunk may be empty: then it says only that the reader has reached the partition's end ({@link #atEnd()}), which
 * is what a partition's idleness is built on. All records of a chunk share {@link Position#major()}.
 *
 * <p>Not thread-safe; handed from the reader's thread to the task's thread, then owned by the task.
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
        this.partition = partition;
        this.count = count;
        this.bytes = bytes;
        this.ends = ends;
        this.brokerTimestamps = brokerTimestamps;
        this.positionMajor = positionMajor;
        this.positionMinors = positionMinors;
        this.atEnd = atEnd;
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
        return java.util.Arrays.copyOfRange(bytes, start(i), end(i));
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
