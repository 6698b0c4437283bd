package dev.millrace.connectors.generator;

import dev.millrace.core.reading.Position;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** How far the receipts of each partition have come. Numbers and no objects, as it is told of every receipt. Not thread-safe. */
final class LatestPositions {
    /** Before every position of a broker. */
    private static final long NONE = Long.MIN_VALUE;

    private long[] majors = {};
    private long[] minors = {};

    /** Keeps the later one of that position and what was known. */
    void advance(int partition, Position position) {
        if (partition >= majors.length) {
            grow(partition + 1);
        }
        long major = position.major();
        long minor = position.minor();
        if (major > majors[partition] || major == majors[partition] && minor > minors[partition]) {
            majors[partition] = major;
            minors[partition] = minor;
        }
    }

    private void grow(int partitions) {
        int before = majors.length;
        majors = Arrays.copyOf(majors, partitions);
        minors = Arrays.copyOf(minors, partitions);
        Arrays.fill(majors, before, partitions, NONE);
        Arrays.fill(minors, before, partitions, NONE);
    }

    /** Of the partitions that had a receipt; it does not change with what comes later. */
    Map<Integer, Position> toMap() {
        Map<Integer, Position> positions = new HashMap<>();
        for (int partition = 0; partition < majors.length; partition++) {
            if (majors[partition] != NONE) {
                positions.put(partition, new Position(majors[partition], minors[partition]));
            }
        }
        return positions;
    }
}
