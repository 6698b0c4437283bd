package dev.millrace.core.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/** Collects the steps that a {@link Projection} takes through payloads of one writer's schema. Not thread-safe. */
final class ProjectionSteps {
    /** More that no step may skip, so that no position overflows. */
    private static final int LONGEST_SKIP = 1 << 20;

    // What a step does; those up to DOUBLES become one where they follow each other.
    /** Steps over {@code count} bytes. */
    static final int SKIP = 0;
    /** Steps over {@code count} numbers of variable length. */
    static final int SKIP_NUMBERS = 1;
    /** Steps over {@code count} spans that begin with their length. */
    static final int SKIP_SPANS = 2;
    /** Reads {@code count} numbers into slots from {@code slot}. */
    static final int NUMBERS = 3;
    /** Reads {@code count} doubles into measures from {@code slot}. */
    static final int DOUBLES = 4;

    static final int FLOAT = 5;
    static final int INT = 6;
    static final int DEVICE = 7;
    static final int STATUS = 8;
    static final int EVENT_TYPE = 9;

    record Step(int kind, int slot, int count) {}

    private static final Map<String, Integer> NUMBER_SLOTS = Map.of(
            "sequence", DecodedReadings.SEQUENCE,
            "eventTime", DecodedReadings.EVENT_TIME,
            "intendedSendTime", DecodedReadings.INTENDED_SEND_TIME,
            "packetsSent", DecodedReadings.PACKETS_SENT,
            "packetsReceived", DecodedReadings.PACKETS_RECEIVED,
            "bytesSent", DecodedReadings.BYTES_SENT,
            "bytesReceived", DecodedReadings.BYTES_RECEIVED);

    private static final Set<String> OTHER_FIELDS = Set.of("deviceId", "status", "errorCount");

    private final boolean withEventType;
    private final List<Step> steps = new ArrayList<>();
    private int[] statuses = new int[0];
    private int depth;

    ProjectionSteps(boolean withEventType) {
        this.withEventType = withEventType;
    }

    List<Step> steps() {
        return steps;
    }

    /** For each symbol of the writer the status's ordinal, -1 where readings know no such status. */
    int[] statuses() {
        return statuses;
    }

    /** Whether steps reach all fields; what was collected is of no use otherwise. */
    boolean reach(Schema writer) {
        // Of a union with one such record, Avro says that it can be read.
        return writer.getType() == Schema.Type.RECORD && record(writer, true);
    }

    private boolean record(Schema schema, boolean top) {
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
            return type == Schema.Type.LONG && add(NUMBERS, slot, 1) || type == Schema.Type.INT && add(INT, slot, 1);
        }
        int measure = Measure.ordinalOf(name);
        if (measure >= 0) {
            return type == Schema.Type.DOUBLE && add(DOUBLES, measure, 1)
                    || type == Schema.Type.FLOAT && add(FLOAT, measure, 1);
        }
        return switch (name) {
            case "deviceId" -> type == Schema.Type.STRING && add(DEVICE, 0, 1);
            case "eventType" -> type == Schema.Type.STRING && add(EVENT_TYPE, 0, 1);
            case "errorCount" -> type == Schema.Type.INT && add(INT, DecodedReadings.ERROR_COUNT, 1);
            default -> status(field.schema());
        };
    }

    private boolean status(Schema schema) {
        if (schema.getType() != Schema.Type.ENUM) {
            return false;
        }
        statuses = schema.getEnumSymbols().stream().mapToInt(Status::ordinalOf).toArray();
        return add(STATUS, DecodedReadings.STATUS, 1);
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
        if (count > LONGEST_SKIP - (follows ? last.count : 0)) {
            return false;
        }
        if (follows) {
            steps.set(steps.size() - 1, new Step(kind, last.slot, last.count + count));
        } else {
            steps.add(new Step(kind, slot, count));
        }
        return true;
    }
}
