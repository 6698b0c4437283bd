package dev.millrace.brokers.memory.log;

import java.nio.ByteBuffer;

/** Records of one partition in a frame: their ends, event times (which nobody asks for) and payloads. Checked when it is read. */
final class Segment {
    private final ByteBuffer frame;
    private final int records;
    private final int endsAt;
    private final int payloadsAt;

    private Segment(ByteBuffer frame, int records, int endsAt) {
        this.frame = frame;
        this.records = records;
        this.endsAt = endsAt;
        this.payloadsAt = endsAt + records * (Integer.BYTES + Long.BYTES);
    }

    /** What stands at the frame's position, which is behind it then; IllegalArgumentException when it cannot be. */
    static Segment read(ByteBuffer frame) {
        int records = frame.getInt();
        int payloadBytes = frame.getInt();
        long bytes = (long) records * (Integer.BYTES + Long.BYTES) + payloadBytes;
        if (records < 0 || payloadBytes < 0 || bytes > frame.remaining()) {
            throw new IllegalArgumentException("a segment of " + records + " records and " + payloadBytes
                    + " bytes in a frame that has " + frame.remaining());
        }
        Segment segment = new Segment(frame, records, frame.position());
        int before = 0;
        for (int i = 0; i < records; i++) {
            int end = segment.end(i);
            if (end < before || end > payloadBytes) {
                throw new IllegalArgumentException("the ends of a batch do not ascend");
            }
            before = end;
        }
        frame.position(frame.position() + (int) bytes);
        return segment;
    }

    int records() {
        return records;
    }

    /** Where a record's payload ends; 0 of the one before the first. */
    int end(int record) {
        return record < 0 ? 0 : frame.getInt(endsAt + record * Integer.BYTES);
    }

    /** Up to which record those from {@code from} fit into {@code room} bytes, with what each costs beyond its payload. */
    int fitting(int from, long room) {
        int start = end(from - 1);
        int low = from;
        int high = records;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (end(middle - 1) - start + (long) Block.RECORD_OVERHEAD_BYTES * (middle - from) <= room) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Copies the payloads of {@code [from, to)}. */
    void copy(int from, int to, byte[] into, int at) {
        int start = end(from - 1);
        frame.get(payloadsAt + start, into, at, end(to - 1) - start);
    }
}
