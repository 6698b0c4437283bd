package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The readings of one slice, merged per device: open addressing over the bytes of the device's name. The index holds for each
 * row its hash and its number, so that a probe looks at a row only when it is the device's own; rows stand in the order in
 * which they were made. Not thread-safe.
 */
final class SliceTable {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int NAME_WORDS = 5;
    private static final int SEGMENT_SHIFT = 9;
    private static final int SEGMENT_ROWS = 1 << SEGMENT_SHIFT;
    private static final int SMALLEST_INDEX = 1 << 10;

    /** A longer name does not fit a row; a UUID as text does. */
    static final int LONGEST_NAME = NAME_WORDS * Long.BYTES;

    // The name stands first: whoever looks for a row sees with one load whether it is the right one.
    private static final int LENGTH = 0;
    private static final int NAME = LENGTH + 1;
    private static final int VALUES = NAME + NAME_WORDS;
    private static final int ROW_LONGS = VALUES + DeviceRow.LONGS;
    private static final int LINE_LONGS = 8;
    /** Its elements, and four of the index when that has just grown. */
    static final int ROW_BYTES = (ROW_LONGS + 4) * Long.BYTES;

    private final Spare spare;
    private final List<long[]> segments = new ArrayList<>();
    private final long[] names = new long[ReadingBatch.CAPACITY * NAME_WORDS];
    private final int[] hashes = new int[ReadingBatch.CAPACITY];
    private final long[][] foundIn = new long[ReadingBatch.CAPACITY][];
    private final int[] foundAt = new int[ReadingBatch.CAPACITY];
    private final byte[] nameBytes = new byte[LONGEST_NAME];

    /** For each place 0, or the hash in the upper half and the row's number + 1 in the lower. */
    private long[] index = new long[SMALLEST_INDEX];

    private int rows;
    private long readings;
    /** Written so that the loads that only warm the cache are not optimised away. */
    private long touched;

    SliceTable(Spare spare) {
        this.spare = spare;
    }

    /** Segments that no table uses just now; shared by the tables of a subtask, so that all together stay small. */
    static final class Spare {
        private final List<long[]> segments = new ArrayList<>();

        private long[] take() {
            return segments.isEmpty() ? new long[SEGMENT_ROWS * ROW_LONGS] : segments.remove(segments.size() - 1);
        }
    }

    int rows() {
        return rows;
    }

    /** How many readings the rows hold. */
    long readings() {
        return readings;
    }

    /**
     * Adds {@code readings[from, to)}, each of a device whose name is at most {@link #LONGEST_NAME} bytes long. In steps, all
     * readings through each: in a table larger than the cache nearly every look at it waits for memory, and what waits side
     * by side waits once.
     */
    void add(DecodedReading[] batch, int from, int to) {
        for (int i = from; i < to; i++) {
            hashes[i] = hash(batch[i], i * NAME_WORDS);
        }
        long seen = 0;
        for (int i = from; i < to; i++) {
            seen ^= index[hashes[i] & index.length - 1];
        }
        for (int i = from; i < to; i++) {
            int row = row(hashes[i], batch[i].deviceLength(), i * NAME_WORDS);
            long[] segment = segments.get(row >>> SEGMENT_SHIFT);
            int at = (row & SEGMENT_ROWS - 1) * ROW_LONGS;
            foundIn[i] = segment;
            foundAt[i] = at + VALUES;
            for (int line = at + LINE_LONGS; line < at + ROW_LONGS; line += LINE_LONGS) {
                seen ^= segment[line];
            }
        }
        for (int i = from; i < to; i++) {
            DeviceRow.add(foundIn[i], foundAt[i], batch[i]);
        }
        readings += to - from;
        touched = seen;
    }

    /** Puts the name into words from {@code names[at]}, the last one padded with zeros, and returns its hash. */
    private int hash(DecodedReading reading, int at) {
        byte[] bytes = reading.deviceBytes();
        int start = reading.deviceStart();
        int length = reading.deviceLength();
        long hash = length;
        int whole = length >>> 3;
        for (int i = 0; i < whole; i++) {
            long word = (long) WORD.get(bytes, start + (i << 3));
            names[at + i] = word;
            hash = mixed(hash, word);
        }
        int rest = length & 7;
        if (rest > 0) {
            long word = 0;
            if (length >= Long.BYTES) {
                // The last eight bytes, without those that the word before has.
                word = (long) WORD.get(bytes, start + length - Long.BYTES) >>> ((Long.BYTES - rest) << 3);
            } else {
                for (int i = rest - 1; i >= 0; i--) {
                    word = word << 8 | bytes[start + i] & 0xFF;
                }
            }
            names[at + whole] = word;
            hash = mixed(hash, word);
        }
        return (int) hash;
    }

    private static long mixed(long hash, long word) {
        long mixed = (hash ^ word) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ mixed >>> 32;
    }

    private static int words(int length) {
        return length + Long.BYTES - 1 >>> 3;
    }

    /** The number of the row of the device whose name begins at {@code names[name]}; made when there is none. */
    private int row(int hash, int length, int name) {
        int mask = index.length - 1;
        int place = hash & mask;
        for (long entry = index[place]; entry != 0; entry = index[place]) {
            if ((int) (entry >>> 32) == hash && isOf((int) entry - 1, length, name)) {
                return (int) entry - 1;
            }
            place = place + 1 & mask;
        }
        int row = make(length, name);
        index[place] = (long) hash << 32 | row + 1;
        if (rows > index.length >>> 1) {
            grow();
        }
        return row;
    }

    private boolean isOf(int row, int length, int name) {
        long[] segment = segments.get(row >>> SEGMENT_SHIFT);
        int at = (row & SEGMENT_ROWS - 1) * ROW_LONGS;
        if (segment[at + LENGTH] != length) {
            return false;
        }
        for (int i = 0; i < words(length); i++) {
            if (segment[at + NAME + i] != names[name + i]) {
                return false;
            }
        }
        return true;
    }

    private int make(int length, int name) {
        int row = rows++;
        if (row >>> SEGMENT_SHIFT == segments.size()) {
            segments.add(spare.take());
        }
        long[] segment = segments.get(row >>> SEGMENT_SHIFT);
        int at = (row & SEGMENT_ROWS - 1) * ROW_LONGS;
        segment[at + LENGTH] = length;
        System.arraycopy(names, name, segment, at + NAME, words(length));
        DeviceRow.clear(segment, at + VALUES);
        return row;
    }

    private void grow() {
        long[] grown = new long[index.length << 1];
        int mask = grown.length - 1;
        for (long entry : index) {
            if (entry != 0) {
                int place = (int) (entry >>> 32) & mask;
                while (grown[place] != 0) {
                    place = place + 1 & mask;
                }
                grown[place] = entry;
            }
        }
        index = grown;
    }

    /** Hands out every row, by the one partial that it fills again and again, and is empty then. */
    void drain(SlicePartial partial, Consumer<SlicePartial> out) {
        for (int row = 0; row < rows; row++) {
            long[] segment = segments.get(row >>> SEGMENT_SHIFT);
            int at = (row & SEGMENT_ROWS - 1) * ROW_LONGS;
            partial.deviceId = name(segment, at);
            DeviceRow.read(segment, at + VALUES, partial.values);
            out.accept(partial);
        }
        spare.segments.addAll(segments);
        segments.clear();
        Arrays.fill(index, 0);
        rows = 0;
        readings = 0;
    }

    private String name(long[] segment, int at) {
        int length = (int) segment[at + LENGTH];
        for (int i = 0; i << 3 < length; i++) {
            WORD.set(nameBytes, i << 3, segment[at + NAME + i]);
        }
        return new String(nameBytes, 0, length, StandardCharsets.UTF_8);
    }
}
