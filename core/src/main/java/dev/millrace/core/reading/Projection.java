package dev.millrace.core.reading;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * How to walk over a payload and pick up what windows are made of: one step for each field of the writer's schema, or for a
 * run of them that is read or stepped over at once. Made from the writer's schema, so added, removed and moved fields cost
 * nothing; a schema with unions, arrays or maps has no projection, because where its fields lie depends on the data. Whatever
 * the bytes are, it reads inside the payload only. Not thread-safe.
 */
final class Projection {
    private static final VarHandle DOUBLE_VIEW =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOAT_VIEW =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONG_VIEW =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /** The most bytes that a number of 64 bits takes. */
    private static final int LONGEST_NUMBER = 10;

    // What a step does; those up to DOUBLES become one where they follow each other.
    /** Steps over {@code count} bytes. */
    private static final int SKIP = 0;
    /** Steps over {@code count} numbers of variable length. */
    private static final int SKIP_NUMBERS = 1;
    /** Steps over {@code count} spans that begin with their length. */
    private static final int SKIP_SPANS = 2;
    /** Reads {@code count} numbers into slots from {@code slot}. */
    private static final int NUMBERS = 3;
    /** Reads {@code count} doubles into measures from {@code slot}. */
    private static final int DOUBLES = 4;

    private static final int FLOAT = 5;
    private static final int INT = 6;
    private static final int DEVICE = 7;
    private static final int STATUS = 8;
    private static final int EVENT_TYPE = 9;

    private record Step(int kind, int slot, int count) {}

    private static final Map<String, Integer> NUMBER_SLOTS = Map.of(
            "sequence", DecodedReading.SEQUENCE,
            "eventTime", DecodedReading.EVENT_TIME,
            "intendedSendTime", DecodedReading.INTENDED_SEND_TIME,
            "packetsSent", DecodedReading.PACKETS_SENT,
            "packetsReceived", DecodedReading.PACKETS_RECEIVED,
            "bytesSent", DecodedReading.BYTES_SENT,
            "bytesReceived", DecodedReading.BYTES_RECEIVED);

    private static final Set<String> OTHER_FIELDS = Set.of("deviceId", "status", "errorCount");

    private final int[] kinds;
    private final int[] slots;
    private final int[] counts;
    /** For each symbol of the writer the status's ordinal, -1 where readings know no such status. */
    private final int[] statuses;

    private long number;
    private int length;

    private Projection(List<Step> steps, int[] statuses) {
        this.kinds = steps.stream().mapToInt(Step::kind).toArray();
        this.slots = steps.stream().mapToInt(Step::slot).toArray();
        this.counts = steps.stream().mapToInt(Step::count).toArray();
        this.statuses = statuses;
    }

    /**
     * Empty when the schema has a field whose length depends on data in a way that no step can say.
     *
     * @param withEventType whether the event type is read too
     */
    static Optional<Projection> of(Schema writer, boolean withEventType) {
        ProjectionSteps steps = new ProjectionSteps(withEventType);
        return steps.record(writer, true) ? Optional.of(new Projection(steps.steps, steps.statuses)) : Optional.empty();
    }

    /** Collects the steps of a schema. */
    private static final class ProjectionSteps {
        private final boolean withEventType;
        private final List<Step> steps = new ArrayList<>();
        private int[] statuses = new int[0];
        private int depth;

        ProjectionSteps(boolean withEventType) {
            this.withEventType = withEventType;
        }

        boolean record(Schema schema, boolean top) {
            // A record within itself has no end that a list of steps could reach.
            if (++depth > 8) {
                return false;
            }
            for (Schema.Field field : schema.getFields()) {
                if (!(top && isRead(field.name()) ? read(field) : skip(field.schema()))) {
                    return false;
                }
            }
            depth--;
            return true;
        }

        private boolean isRead(String name) {
            return NUMBER_SLOTS.containsKey(name)
                    || Measure.ordinalOf(name) >= 0
                    || OTHER_FIELDS.contains(name)
                    || withEventType && name.equals("eventType");
        }

        private boolean read(Schema.Field field) {
            Schema.Type type = field.schema().getType();
            String name = field.name();
            Integer slot = NUMBER_SLOTS.get(name);
            if (slot != null) {
                return type == Schema.Type.LONG && add(NUMBERS, slot, 1)
                        || type == Schema.Type.INT && add(INT, slot, 1);
            }
            int measure = Measure.ordinalOf(name);
            if (measure >= 0) {
                return type == Schema.Type.DOUBLE && add(DOUBLES, measure, 1)
                        || type == Schema.Type.FLOAT && add(FLOAT, measure, 1);
            }
            return switch (name) {
                case "deviceId" -> type == Schema.Type.STRING && add(DEVICE, 0, 1);
                case "eventType" -> type == Schema.Type.STRING && add(EVENT_TYPE, 0, 1);
                case "errorCount" -> type == Schema.Type.INT && add(INT, DecodedReading.ERROR_COUNT, 1);
                default -> status(field.schema());
            };
        }

        private boolean status(Schema schema) {
            if (schema.getType() != Schema.Type.ENUM) {
                return false;
            }
            statuses =
                    schema.getEnumSymbols().stream().mapToInt(Status::ordinalOf).toArray();
            return add(STATUS, DecodedReading.STATUS, 1);
        }

        private boolean skip(Schema schema) {
            return switch (schema.getType()) {
                case NULL -> true;
                case BOOLEAN -> add(SKIP, 0, 1);
                case FLOAT -> add(SKIP, 0, Float.BYTES);
                case DOUBLE -> add(SKIP, 0, Double.BYTES);
                case FIXED -> add(SKIP, 0, schema.getFixedSize());
                case INT, LONG, ENUM -> add(SKIP_NUMBERS, 0, 1);
                case STRING, BYTES -> add(SKIP_SPANS, 0, 1);
                case RECORD -> record(schema, false);
                case UNION, ARRAY, MAP -> false;
            };
        }

        private boolean add(int kind, int slot, int count) {
            Step last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
            boolean follows = last != null
                    && kind <= DOUBLES
                    && last.kind == kind
                    && (kind < NUMBERS || last.slot + last.count == slot);
            if (follows) {
                steps.set(steps.size() - 1, new Step(kind, last.slot, last.count + count));
            } else {
                steps.add(new Step(kind, slot, count));
            }
            return true;
        }
    }

    /** Fills {@code reading} from {@code bytes[start, end)}; fields that the writer does not have are left as they are. */
    void decode(byte[] bytes, int start, int end, DecodedReading reading) throws UndecodableException {
        // The position stays in a local variable: each step waits for the one before, and for nothing else.
        int at = start;
        for (int i = 0; i < kinds.length; i++) {
            int count = counts[i];
            switch (kinds[i]) {
                case SKIP -> at = after(at, count, end);
                case SKIP_NUMBERS -> {
                    for (int k = 0; k < count; k++) {
                        at = number(bytes, at, end);
                    }
                }
                case SKIP_SPANS -> {
                    for (int k = 0; k < count; k++) {
                        at = span(bytes, at, end);
                    }
                }
                case NUMBERS -> {
                    for (int slot = slots[i]; slot < slots[i] + count; slot++) {
                        at = number(bytes, at, end);
                        reading.numbers[slot] = number;
                    }
                }
                case DOUBLES -> {
                    int first = at;
                    at = after(at, count * Double.BYTES, end);
                    for (int k = 0; k < count; k++) {
                        reading.measures[slots[i] + k] = (double) DOUBLE_VIEW.get(bytes, first + k * Double.BYTES);
                    }
                }
                case FLOAT -> {
                    int first = at;
                    at = after(at, Float.BYTES, end);
                    reading.measures[slots[i]] = (float) FLOAT_VIEW.get(bytes, first);
                }
                case INT -> {
                    at = number(bytes, at, end);
                    reading.numbers[slots[i]] = integer(number);
                }
                case DEVICE -> {
                    at = span(bytes, at, end);
                    reading.device(bytes, name("device's name", bytes, at - length, length), length);
                }
                case EVENT_TYPE -> {
                    at = span(bytes, at, end);
                    reading.eventType(bytes, name("event type", bytes, at - length, length), length);
                }
                default -> {
                    at = number(bytes, at, end);
                    reading.numbers[DecodedReading.STATUS] = status(number);
                }
            }
        }
        if (at != end) {
            throw new UndecodableException((end - at) + " bytes after the last field");
        }
    }

    private static int after(int at, int count, int end) throws UndecodableException {
        if (count > end - at) {
            throw new UndecodableException("ends within a field");
        }
        return at + count;
    }

    private static long integer(long value) throws UndecodableException {
        if (value != (int) value) {
            throw new UndecodableException("int " + value);
        }
        return value;
    }

    private int status(long symbol) throws UndecodableException {
        if (symbol < 0 || symbol >= statuses.length || statuses[(int) symbol] < 0) {
            throw new UndecodableException("status " + symbol);
        }
        return statuses[(int) symbol];
    }

    /** Where the name begins, when it is one. */
    private static int name(String what, byte[] bytes, int start, int length) throws UndecodableException {
        if (!Utf8Bytes.isValid(bytes, start, length)) {
            throw new UndecodableException("the " + what + " is not UTF-8: "
                    + Arrays.toString(Arrays.copyOfRange(bytes, start, start + length)));
        }
        return start;
    }

    /** Puts the length of the span that begins at {@code at} into {@link #length} and returns the position behind it. */
    private int span(byte[] bytes, int at, int end) throws UndecodableException {
        if (at < end && bytes[at] >= 0 && (bytes[at] & 1) == 0) {
            length = bytes[at] >>> 1;
            if (length < end - at) {
                return at + 1 + length;
            }
        }
        int from = number(bytes, at, end);
        if (number < 0 || number > end - from) {
            throw new UndecodableException("length " + number + " where " + (end - from) + " bytes are left");
        }
        length = (int) number;
        return from + length;
    }

    /** Puts the zigzag number of variable length at {@code at} into {@link #number} and returns the position behind it. */
    private int number(byte[] bytes, int at, int end) throws UndecodableException {
        if (end - at < LONGEST_NUMBER) {
            return lastNumber(bytes, at, end);
        }
        long word = (long) LONG_VIEW.get(bytes, at);
        long stops = ~word & HIGH_BITS;
        if (stops == 0) {
            return longNumber(bytes, at, word);
        }
        // Without a branch on the length, which nobody can predict: what follows the last byte goes, then the groups of
        // seven bits close up, two by two.
        number = unzigzag(closedUp(word & (stops ^ stops - 1)));
        return at + 1 + (Long.numberOfTrailingZeros(stops) >>> 3);
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

    /** A number of nine or ten bytes, whose first eight are {@code word}. */
    private int longNumber(byte[] bytes, int at, long word) throws UndecodableException {
        byte ninth = bytes[at + 8];
        long zigzag = closedUp(word) | (ninth & 0x7FL) << 56;
        if (ninth >= 0) {
            number = unzigzag(zigzag);
            return at + 9;
        }
        byte tenth = bytes[at + 9];
        if ((tenth & 0xFE) != 0) {
            throw new UndecodableException("number of more than 64 bits");
        }
        number = unzigzag(zigzag | (long) tenth << 63);
        return at + 10;
    }

    /** As {@link #number}, near the end of the payload. */
    private int lastNumber(byte[] bytes, int at, int end) throws UndecodableException {
        long zigzag = 0;
        for (int from = at, shift = 0; from < end; from++, shift += 7) {
            zigzag |= (bytes[from] & 0x7FL) << shift;
            if (bytes[from] >= 0) {
                number = unzigzag(zigzag);
                return from + 1;
            }
        }
        throw new UndecodableException("ends within a field");
    }
}
