package dev.millrace.connectors.api.store;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The columns of a store's tables, in the order in which {@link RowBinary} writes them. Every store makes its tables from
 * this list, so a query that runs on one names the same columns on the other.
 */
public final class RowColumns {
    private RowColumns() {}

    /** How a value is written. */
    public enum Type {
        /** UTF-8 with its length in bytes in front. */
        STRING,
        /** Any bytes with their number in front. */
        BYTES,
        /** 32 bits, little-endian. */
        INT32,
        /** 64 bits, little-endian; times are epoch milliseconds, {@code latest_intended_send_time} microseconds. */
        INT64,
        /** IEEE 754, 64 bits, little-endian. */
        FLOAT64
    }

    /** One column; {@code name} is in snake case. */
    public record Column(String name, Type type) {}

    private static final List<Column> WINDOWS = windows();

    private static final List<Column> DEAD_LETTERS = List.of(
            new Column("reason", Type.STRING),
            new Column("partition", Type.INT32),
            new Column("position_major", Type.INT64),
            new Column("position_minor", Type.INT64),
            new Column("event_time", Type.INT64),
            new Column("payload", Type.BYTES));

    private static final List<Column> LATEST_TIMES = List.of(
            new Column("device_id", Type.STRING),
            new Column("event_type", Type.STRING),
            new Column("latest", Type.INT64),
            new Column("readings", Type.INT64),
            new Column("as_of", Type.INT64));

    /** The columns of {@code table}; unmodifiable. */
    public static List<Column> of(StoreTable table) {
        return switch (table) {
            case WINDOWS -> WINDOWS;
            case DEAD_LETTERS -> DEAD_LETTERS;
            case LATEST_TIMES -> LATEST_TIMES;
        };
    }

    private static List<Column> windows() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("device_id", Type.STRING));
        int64(columns, "window_start", "window_end", "readings", "first_sequence", "last_sequence");
        for (Measure measure : Measure.values()) {
            for (String aggregate : List.of("_min", "_max", "_sum")) {
                columns.add(new Column(snake(measure.field()) + aggregate, Type.FLOAT64));
            }
        }
        int64(columns, "error_count", "packets_sent", "packets_received", "bytes_sent", "bytes_received");
        for (Status status : Status.values()) {
            int64(columns, "status_" + status.name().toLowerCase(Locale.ROOT));
        }
        int64(columns, "latest_intended_send_time");
        return List.copyOf(columns);
    }

    private static void int64(List<Column> columns, String... names) {
        for (String name : names) {
            columns.add(new Column(name, Type.INT64));
        }
    }

    private static String snake(String camel) {
        return camel.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
