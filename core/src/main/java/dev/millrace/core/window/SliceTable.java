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

    /** A longer name does not fit a row, in which its length is the last byte; a UUID as text does. */
    static final int LONGEST_NAME = NAME_WORDS * Long.BYTES - 1;

    // The name stands first: whoever looks for a row sees with one load whether it is the right one.
    private static final int LAST_WORD = NAME_WORDS - 1;
    private static final int LENGTH_SHIFT = Long.SIZE - Byte.SIZE;
    private static final int VALUES = NAME_WORDS;
    private static final int ROW_LONGS = VALUES + DeviceRow.LONGS;
    private static final int LINE_LONGS = 8;
    /** Its elements, and nearly three of the index when that has just grown. */
    static final int ROW_BYTES = (ROW_LONGS + 3) * Long.BYTES;

    private final Spare spare;
    private final List<long[]> segments = new ArrayList<>();
    private final long[] names = new long[ReadingBatch.CAPACITY * NAME_WORDS];
    private final int[] hashes = new int[ReadingBatch.CAPACITY];
    private final long[][] foundIn = new long[ReadingBatch.CAPACITY][];
    private final int[] foundAt = new int[ReadingBatch.CAPACITY];
    private final int[] foundOf = new int[ReadingBatch.CAPACITY];
    private final int[] refused = new int[ReadingBatch.CAPACITY];
    private final byte[] nameBytes = new byte[NAME_WORDS * Long.BYTES];

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
     *
     * @param room how many rows may be made
     * @return how many found neither row nor room; they are the first of {@link #refused}
     */
    int add(DecodedReading[] batch, int from, int to, int room) {
        for (int i = from; i < to; i++) {
            hashes[i] = hash(batch[i], i * NAME_WORDS);
        }
        long seen = 0;
        for (int i = from; i < to; i++) {
            seen ^= index[hashes[i] & index.length - 1];
        }
        int most = rows + room;
        int found = 0;
        int without = 0;
        for (int i = from; i < to; i++) {
            int row = row(hashes[i], i * NAME_WORDS, most);
            if (row < 0) {
                refused[without++] = i;
                continue;
            }
            long[] segment = segments.get(row >>> SEGMENT_SHIFT);
            int at = at(row);
            foundOf[found] = i;
            foundIn[found] = segment;
            foundAt[found++] = at + VALUES;
            for (int line = at + LINE_LONGS; line < at + ROW_LONGS; line += LINE_LONGS) {
                seen ^= segment[line];
            }
        }
        for (int i = 0; i < found; i++) {
            DeviceRow.add(foundIn[i], foundAt[i], batch[foundOf[i]]);
        }
        readings += found;
        touched = seen;
        return without;
    }

    /** The number in its batch of the {@code i}th reading that the last {@link #add} did not take. */
    int refused(int i) {
        return refused[i];
    }

    /** Puts the name into the words from {@code names[at]}, padded with zeros but for its length, and returns its hash. */
    private int hash(DecodedReading reading, int at) {
        byte[] bytes = reading.deviceBytes();
        int start = reading.deviceStart();
        int length = reading.deviceLength();
        int whole = length >>> 3;
        for (int i = 0; i < whole; i++) {
            names[at + i] = (long) WORD.get(bytes, start + (i << 3));
        }
        for (int i = whole; i < NAME_WORDS; i++) {
            names[at + i] = 0;
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
        }
        names[at + LAST_WORD] |= (long) length << LENGTH_SHIFT;
        return hash(names, at);
    }

    /** Of the name that stands at {@code words[at]}. */
    private static int hash(long[] words, int at) {
        int length = length(words, at);
        long hash = length;
        for (int i = 0; i << 3 < length; i++) {
            hash = mixed(hash, words[at + i]);
        }
        return (int) hash;
    }

    private static int length(long[] words, int at) {
        return (int) (words[at + LAST_WORD] >>> LENGTH_SHIFT);
    }

    private static long mixed(long hash, long word) {
        long mixed = (hash ^ word) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ mixed >>> 32;
    }

    /**
     * The number of the row of the device whose name begins at {@code names[name]}; made when there is none, unless there are
     * {@code most} rows already: then -1.
     */
    private int row(int hash, int name, int most) {
        int mask = index.length - 1;
        int place = hash & mask;
        for (long entry = index[place]; entry != 0; entry = index[place]) {
            if ((int) (entry >>> 32) == hash && isOf((int) entry - 1, name)) {
                return (int) entry - 1;
            }
            place = place + 1 & mask;
        }
        if (rows >= most) {
            return -1;
        }
        int row = make(name);
        index[place] = (long) hash << 32 | row + 1;
        if (rows > (index.length >>> 2) * 3) {
            grow();
        }
        return row;
    }

    private boolean isOf(int row, int name) {
        long[] segment = segments.get(row >>> SEGMENT_SHIFT);
        int at = at(row);
        if (segment[at + LAST_WORD] != names[name + LAST_WORD]) {
            return false;
        }
        int length = length(names, name);
        for (int i = 0; i << 3 < length; i++) {
            if (segment[at + i] != names[name + i]) {
                return false;
            }
        }
        return true;
    }

    private static int at(int row) {
        return (row & SEGMENT_ROWS - 1) * ROW_LONGS;
    }

    private int make(int name) {
        int row = rows++;
        if (row >>> SEGMENT_SHIFT == segments.size()) {
            segments.add(spare.take());
        }
        long[] segment = segments.get(row >>> SEGMENT_SHIFT);
        int at = at(row);
        System.arraycopy(names, name, segment, at, NAME_WORDS);
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
            partial.deviceId = name(segment, at(row));
            DeviceRow.read(segment, at(row) + VALUES, partial.values);
            out.accept(partial);
        }
        spare.segments.addAll(segments);
        segments.clear();
        Arrays.fill(index, 0);
        rows = 0;
        readings = 0;
    }

    private String name(long[] segment, int at) {
        int length = length(segment, at);
        for (int i = 0; i << 3 < length; i++) {
            WORD.set(nameBytes, i << 3, segment[at + i]);
        }
        return new String(nameBytes, 0, length, StandardCharsets.UTF_8);
    }
}
