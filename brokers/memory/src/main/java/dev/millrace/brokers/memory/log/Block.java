package dev.millrace.brokers.memory.log;

import java.util.Arrays;

/** A run of records of one partition: payloads back to back, their ends and timestamps. Guarded by its topic. */
final class Block {
    /** What a record costs beyond its payload. */
    static final int RECORD_OVERHEAD_BYTES = 12;

    /** A whole block may have one such part free: the log has a tenth of its heap to itself. */
    private static final int MOST_FREE = 16;

    private final long firstOffset;
    private final int bytesMax;
    private byte[] bytes;
    private int[] ends;
    private long[] timestamps;
    private int count;
    private long lastAppendMillis;

    /** @param bytesMax it grows to so many in steps; a longer payload takes what it needs */
    Block(long firstOffset, int expectedBytes, int expectedRecords, int bytesMax) {
        this.firstOffset = firstOffset;
        this.bytesMax = bytesMax;
        this.bytes = new byte[expectedBytes];
        this.ends = new int[expectedRecords];
        this.timestamps = new long[expectedRecords];
    }

    long firstOffset() {
        return firstOffset;
    }

    long endOffset() {
        return firstOffset + count;
    }

    int size() {
        return count == 0 ? 0 : ends[count - 1];
    }

    long lastAppendMillis() {
        return lastAppendMillis;
    }

    /** What it counts for in retention. */
    long keptBytes() {
        return size() + (long) RECORD_OVERHEAD_BYTES * count;
    }

    /** Gives back what it has room for beyond its records, where that is much: nothing is appended any more. */
    void trim() {
        long held = bytes.length + (long) RECORD_OVERHEAD_BYTES * ends.length;
        if (held - keptBytes() > held / MOST_FREE) {
            bytes = Arrays.copyOf(bytes, size());
            ends = Arrays.copyOf(ends, count);
            timestamps = Arrays.copyOf(timestamps, count);
        }
    }

    /** Appends the records {@code [from, to)} of a segment. */
    void append(Segment segment, int from, int to, long nowMillis) {
        int base = size();
        int start = segment.end(from - 1);
        int size = base + segment.end(to - 1) - start;
        if (size > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size, (int) Math.min(bytesMax, bytes.length * 2L)));
        }
        int records = to - from;
        if (count + records > ends.length) {
            int room = Math.max(count + records, ends.length * 2);
            ends = Arrays.copyOf(ends, room);
            timestamps = Arrays.copyOf(timestamps, room);
        }
        for (int i = 0; i < records; i++) {
            ends[count + i] = base + segment.end(from + i) - start;
        }
        Arrays.fill(timestamps, count, count + records, nowMillis);
        segment.copy(from, to, bytes, base);
        count += records;
        lastAppendMillis = nowMillis;
    }

    /** Writes the records from {@code offset} to before {@code stop}, at least one, then as many as {@code maxBytes} takes. */
    void write(FrameWriter out, long offset, long stop, int maxBytes) {
        int from = (int) (offset - firstOffset);
        int limit = (int) Math.min(count, stop - firstOffset);
        int start = from == 0 ? 0 : ends[from - 1];
        int to = Arrays.binarySearch(ends, from, limit, start + maxBytes);
        to = Math.max(from + 1, Math.min(limit, to >= 0 ? to + 1 : -to - 1));
        out.number(to - from).number(ends[to - 1] - start);
        out.ints(ends, from, to - from, start);
        out.longs(timestamps, from, to - from);
        out.bytes(bytes, start, ends[to - 1] - start);
    }
}
