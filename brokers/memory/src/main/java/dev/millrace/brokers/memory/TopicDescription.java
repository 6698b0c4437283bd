package dev.millrace.brokers.memory;

import dev.millrace.core.reading.Position;
import java.nio.ByteBuffer;

/** What the server says of a topic; no partitions when it is not there. */
record TopicDescription(
        long incarnation, long retentionBytes, long retentionMillis, long[] startOffsets, long[] endOffsets) {

    static TopicDescription read(ByteBuffer answer) {
        int partitions = answer.getInt();
        if (partitions == 0) {
            return new TopicDescription(0, 0, 0, new long[0], new long[0]);
        }
        long incarnation = answer.getLong();
        long retentionBytes = answer.getLong();
        long retentionMillis = answer.getLong();
        long[] starts = new long[partitions];
        long[] ends = new long[partitions];
        for (int i = 0; i < partitions; i++) {
            starts[i] = answer.getLong();
            ends[i] = answer.getLong();
        }
        return new TopicDescription(incarnation, retentionBytes, retentionMillis, starts, ends);
    }

    int partitions() {
        return endOffsets.length;
    }

    Position end(int partition) {
        return new Position(incarnation, endOffsets[partition]);
    }
}
