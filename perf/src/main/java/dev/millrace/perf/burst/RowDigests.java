package dev.millrace.perf.burst;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Rows as 64 bits each, so that millions can be compared in little memory: two rows that differ have the same digest in one of some
 * 10^19 cases. Not thread-safe.
 */
final class RowDigests {
    private static final int BLOCK = 1 << 14;

    private final List<long[]> full = new ArrayList<>();
    private final CRC32 first = new CRC32();
    private final CRC32C second = new CRC32C();
    private long[] block = new long[BLOCK];
    private int used;

    /**
     * What the topic has against what it should have.
     *
     * @param missing rows that are not in it
     * @param surplus rows that should not be
     * @param repeated rows that are there once more than they should be
     */
    record Difference(long missing, long surplus, long repeated) {}

    void add(byte[] bytes, int start, int end) {
        first.reset();
        first.update(bytes, start, end - start);
        second.reset();
        second.update(bytes, start, end - start);
        if (used == BLOCK) {
            full.add(block);
            block = new long[BLOCK];
            used = 0;
        }
        block[used++] = first.getValue() << 32 | second.getValue();
    }

    long count() {
        return (long) full.size() * BLOCK + used;
    }

    /** What these rows have against {@code right}, in any order. */
    Difference against(RowDigests right) {
        long[] ours = sorted();
        long[] theirs = right.sorted();
        long missing = 0;
        long surplus = 0;
        long repeated = 0;
        int i = 0;
        int j = 0;
        while (i < ours.length || j < theirs.length) {
            if (j == theirs.length || (i < ours.length && ours[i] < theirs[j])) {
                boolean again = i > 0 && ours[i] == ours[i - 1];
                repeated += again ? 1 : 0;
                surplus += again ? 0 : 1;
                i++;
            } else if (i == ours.length || ours[i] > theirs[j]) {
                missing++;
                j++;
            } else {
                i++;
                j++;
            }
        }
        return new Difference(missing, surplus, repeated);
    }

    private long[] sorted() {
        long[] all = LongStream.concat(full.stream().flatMapToLong(Arrays::stream), Arrays.stream(block, 0, used))
                .toArray();
        Arrays.sort(all);
        return all;
    }
}
