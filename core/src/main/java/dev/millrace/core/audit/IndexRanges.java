package dev.millrace.core.audit;

import java.util.Arrays;

/** A set of indices of the stream as sorted ranges that do not touch. Immutable. */
public final class IndexRanges {
    private static final IndexRanges NONE = new IndexRanges(new long[0]);

    /** First index, index behind the last, and so on. */
    private final long[] bounds;

    private IndexRanges(long[] bounds) {
        this.bounds = bounds;
    }

    public static IndexRanges none() {
        return NONE;
    }

    /** {@code bounds}: for each range its first index and the index behind its last, ascending, no range empty. */
    public static IndexRanges of(long... bounds) {
        for (int i = 0; i < bounds.length; i++) {
            if (bounds[i] < 0 || i > 0 && bounds[i] <= bounds[i - 1]) {
                throw new IllegalArgumentException("ranges are not ascending: " + Arrays.toString(bounds));
            }
        }
        if (bounds.length % 2 != 0) {
            throw new IllegalArgumentException("a range has no end: " + Arrays.toString(bounds));
        }
        return new IndexRanges(bounds.clone());
    }

    /** How many ranges there are. */
    public int size() {
        return bounds.length / 2;
    }

    public long from(int range) {
        return bounds[2 * range];
    }

    /** The index behind the range's last. */
    public long to(int range) {
        return bounds[2 * range + 1];
    }

    /** How many indices there are. */
    public long count() {
        long count = 0;
        for (int i = 0; i < size(); i++) {
            count += to(i) - from(i);
        }
        return count;
    }

    /** The index behind the last one; 0 when there is none. */
    public long end() {
        return bounds.length == 0 ? 0 : bounds[bounds.length - 1];
    }

    public boolean contains(long index) {
        int at = Arrays.binarySearch(bounds, index);
        return at >= 0 ? at % 2 == 0 : (-at - 1) % 2 == 1;
    }

    /** What is in {@code [0, end)} and not in here. */
    public IndexRanges missingBelow(long end) {
        long[] gaps = new long[bounds.length + 2];
        int count = 0;
        long from = 0;
        for (int i = 0; i < size() && from < end; i++) {
            if (from(i) > from) {
                gaps[count++] = from;
                gaps[count++] = Math.min(from(i), end);
            }
            from = to(i);
        }
        if (from < end) {
            gaps[count++] = from;
            gaps[count++] = end;
        }
        return new IndexRanges(Arrays.copyOf(gaps, count));
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof IndexRanges other && Arrays.equals(bounds, other.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }
}
