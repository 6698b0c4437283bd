package dev.millrace.core.reading;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * How to walk over payloads and pick up what windows are made of: one step for each field of the writer's schema, or for a
 * run of them that is read or stepped over at once. Made from the writer's schema, so added, removed and moved fields cost
 * nothing; a schema with unions, arrays or maps has no projection, because where its fields lie depends on the data.
 *
 * <p>Each step is taken by all payloads before the next one. In a single payload every field waits for the length of the one
 * before it; side by side these waits are one. It asks no questions on its way: whether a payload was as the schema says is
 * seen when all is read, and one that was not is for Avro's decoder to judge. It looks at nothing outside the array, and takes
 * nothing that was outside the payload. Immutable.
 */
final class Projection {
    private static final VarHandle DOUBLE_VIEW =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOAT_VIEW =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONG_VIEW =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private final int[] kinds;
    private final int[] slots;
    private final int[] counts;
    /** For each symbol of the writer the status's ordinal, -1 where readings know no such status. */
    private final int[] statuses;

    private Projection(List<ProjectionSteps.Step> steps, int[] statuses) {
        this.kinds = steps.stream().mapToInt(ProjectionSteps.Step::kind).toArray();
        this.slots = steps.stream().mapToInt(ProjectionSteps.Step::slot).toArray();
        this.counts = steps.stream().mapToInt(ProjectionSteps.Step::count).toArray();
        this.statuses = statuses;
    }

    /**
     * Empty when the schema has a field whose length depends on data in a way that no step can say.
     *
     * @param withEventType whether the event type is read too
     */
    static Optional<Projection> of(Schema writer, boolean withEventType) {
        ProjectionSteps steps = new ProjectionSteps(withEventType);
        return steps.reach(writer) ? Optional.of(new Projection(steps.steps(), steps.statuses())) : Optional.empty();
    }

    /**
     * Fills rows of {@code into}, from the first one, with the payloads {@code [first, first + count)} of a chunk; fields that
     * the writer does not have are left as they are.
     *
     * @return whether all of them were as the schema says; if not, the rows hold anything
     */
    boolean decode(PayloadChunk chunk, int first, int count, DecodedReadings into) {
        int[] at = into.at;
        for (int row = 0; row < count; row++) {
            at[row] = chunk.start(first + row);
        }
        into.touch(chunk.bytes(), at[0], chunk.end(first + count - 1));
        long odd = walk(chunk.bytes(), 0, count, into);
        for (int row = 0; row < count; row++) {
            odd |= at[row] ^ chunk.end(first + row);
        }
        return odd == 0;
    }

    /** The same of a single payload, {@code bytes[start, end)}. */
    boolean decode(byte[] bytes, int start, int end, DecodedReadings into, int row) {
        into.at[row] = start;
        long odd = walk(bytes, row, row + 1, into);
        return (odd | into.at[row] ^ end) == 0;
    }

    /**
     * Takes all steps. No step leads back, so that payloads which end where they should were never left on the way.
     *
     * @return 0 when every field was as the schema says
     */
    private long walk(byte[] bytes, int from, int to, DecodedReadings into) {
        int[] at = into.at;
        long odd = 0;
        try {
            for (int i = 0; i < kinds.length; i++) {
                int count = counts[i];
                int slot = slots[i];
                switch (kinds[i]) {
                    case ProjectionSteps.SKIP -> skip(count, from, to, at);
                    case ProjectionSteps.SKIP_NUMBERS -> {
                        for (int k = 0; k < count; k++) {
                            odd |= numbers(bytes, from, to, at, into.numbers, DecodedReadings.UNREAD);
                        }
                    }
                    case ProjectionSteps.SKIP_SPANS -> {
                        for (int k = 0; k < count; k++) {
                            odd |= spans(bytes, from, to, at);
                        }
                    }
                    case ProjectionSteps.NUMBERS -> {
                        for (int k = 0; k < count; k++) {
                            odd |= numbers(bytes, from, to, at, into.numbers, slot + k);
                        }
                    }
                    case ProjectionSteps.DOUBLES -> doubles(bytes, from, to, at, into.measures, slot, count);
                    case ProjectionSteps.FLOAT -> floats(bytes, from, to, at, into.measures, slot);
                    case ProjectionSteps.INT -> {
                        odd |= numbers(bytes, from, to, at, into.numbers, slot);
                        odd |= beyondInt(from, to, into.numbers, slot);
                    }
                    case ProjectionSteps.DEVICE -> odd |= names(bytes, from, to, at, into.devices);
                    case ProjectionSteps.EVENT_TYPE -> odd |= names(bytes, from, to, at, into.types);
                    default -> {
                        odd |= numbers(bytes, from, to, at, into.numbers, DecodedReadings.STATUS);
                        odd |= statuses(from, to, into.numbers);
                    }
                }
            }
        } catch (IndexOutOfBoundsException e) {
            // A length led out of the array.
            return 1;
        }
        return odd;
    }

    private static void skip(int count, int from, int to, int[] at) {
        for (int row = from; row < to; row++) {
            at[row] += count;
        }
    }

    private static void doubles(byte[] bytes, int from, int to, int[] at, double[] into, int slot, int count) {
        for (int row = from; row < to; row++) {
            int start = at[row];
            int measure = row * Measure.COUNT + slot;
            for (int k = 0; k < count; k++) {
                into[measure + k] = (double) DOUBLE_VIEW.get(bytes, start + k * Double.BYTES);
            }
            at[row] = start + count * Double.BYTES;
        }
    }

    private static void floats(byte[] bytes, int from, int to, int[] at, double[] into, int slot) {
        for (int row = from; row < to; row++) {
            into[row * Measure.COUNT + slot] = (float) FLOAT_VIEW.get(bytes, at[row]);
            at[row] += Float.BYTES;
        }
    }

    private static long beyondInt(int from, int to, long[] numbers, int slot) {
        long odd = 0;
        for (int row = from; row < to; row++) {
            long number = numbers[row * DecodedReadings.NUMBERS + slot];
            odd |= number ^ (int) number;
        }
        return odd;
    }

    /** From the writer's symbols to readings' own. */
    private long statuses(int from, int to, long[] numbers) {
        long odd = 0;
        for (int row = from; row < to; row++) {
            int number = row * DecodedReadings.NUMBERS + DecodedReadings.STATUS;
            long symbol = numbers[number];
            int status = symbol < 0 || symbol >= statuses.length ? -1 : statuses[(int) symbol];
            odd |= status & Integer.MIN_VALUE;
            numbers[number] = status;
        }
        return odd;
    }

    /** Spans of UTF-8. */
    private static long names(byte[] bytes, int from, int to, int[] at, DecodedReadings.Names into) {
        System.arraycopy(at, from, into.starts, from, to - from);
        long odd = spans(bytes, from, to, at);
        for (int row = from; row < to; row++) {
            int end = at[row];
            int start = into.starts[row];
            // A span that is none ends where it starts; what follows may be other payloads.
            while (start < end && bytes[start] < 0) {
                start++;
            }
            int text = Math.min(start + 1, end);
            into.set(row, bytes, text, end - text);
            odd |= Utf8Bytes.isValid(bytes, text, end - text) ? 0 : 1;
        }
        return odd;
    }

    /** Steps over spans that begin with their length. */
    private static long spans(byte[] bytes, int from, int to, int[] at) {
        long odd = 0;
        for (int row = from; row < to; row++) {
            int length = bytes[at[row]];
            if (length >= 0) {
                odd |= length & 1;
                at[row] += 1 + (length >>> 1);
            } else {
                odd |= longSpan(bytes, row, at);
            }
        }
        return odd;
    }

    private static long longSpan(byte[] bytes, int row, int[] at) {
        long word = word(bytes, at[row]);
        long end = end(word);
        long zigzag = closedUp(word & end - 1);
        long length = zigzag >>> 1;
        if (end == 0 || length > bytes.length - at[row]) {
            return 1;
        }
        at[row] += bytesUpTo(end) + (int) length;
        return zigzag & 1;
    }

    /** Reads zigzag numbers of variable length. */
    private static long numbers(byte[] bytes, int from, int to, int[] at, long[] into, int slot) {
        long odd = 0;
        for (int row = from; row < to; row++) {
            long word = word(bytes, at[row]);
            long end = end(word);
            if (end != 0) {
                // Without a branch on the length, which nobody can predict: what follows the last byte goes, then the
                // groups
                // of seven bits close up, two by two.
                into[row * DecodedReadings.NUMBERS + slot] = unzigzag(closedUp(word & end - 1));
                at[row] += bytesUpTo(end);
            } else {
                odd |= longNumber(bytes, word, row, at, into, slot);
            }
        }
        return odd;
    }

    /** A number of nine or ten bytes, whose first eight are {@code word}. */
    private static long longNumber(byte[] bytes, long word, int row, int[] at, long[] into, int slot) {
        byte ninth = bytes[at[row] + 8];
        long zigzag = closedUp(word) | (ninth & 0x7FL) << 56;
        if (ninth >= 0) {
            into[row * DecodedReadings.NUMBERS + slot] = unzigzag(zigzag);
            at[row] += 9;
            return 0;
        }
        byte tenth = bytes[at[row] + 9];
        into[row * DecodedReadings.NUMBERS + slot] = unzigzag(zigzag | (long) tenth << 63);
        at[row] += 10;
        return tenth & 0xFE;
    }

    /** The eight bytes from there on; behind the array's end are zeros. */
    private static long word(byte[] bytes, int at) {
        return at <= bytes.length - Long.BYTES ? (long) LONG_VIEW.get(bytes, at) : lastWord(bytes, at);
    }

    private static long lastWord(byte[] bytes, int at) {
        long word = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            word = word << Byte.SIZE | bytes[i] & 0xFF;
        }
        return word;
    }

    /** The highest bit of the number's last byte, which is the first to have none there; 0 when all eight have one. */
    private static long end(long word) {
        return ~word & HIGH_BITS & -(~word & HIGH_BITS);
    }

    /** How many bytes there are up to and with the one whose highest bit that is. */
    private static int bytesUpTo(long end) {
        return Long.numberOfTrailingZeros(end) + 1 >>> 3;
    }

    private static long closedUp(long word) {
        long by7 = word & ~HIGH_BITS;
        long by14 = by7 & 0x007F_007F_007F_007FL | (by7 & 0x7F00_7F00_7F00_7F00L) >>> 1;
        long by28 = by14 & 0x0000_3FFF_0000_3FFFL | (by14 & 0x3FFF_0000_3FFF_0000L) >>> 2;
        return by28 & 0x0FFF_FFFFL | (by28 & 0x0FFF_FFFF_0000_0000L) >>> 4;
    }

    private static long unzigzag(long zigzag) {
        return zigzag >>> 1 ^ -(zigzag & 1);
    }
}
