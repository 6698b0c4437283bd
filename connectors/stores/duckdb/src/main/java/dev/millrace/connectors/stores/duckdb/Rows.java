package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Status;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Rows between RowBinary and DuckDB: the one place that knows the tables' columns by heart. */
final class Rows {
    private static final String LETTER_KEY = "partition, position_major, position_minor";

    private Rows() {}

    /** {@code CREATE TABLE IF NOT EXISTS} with the columns that every store has, in their order. */
    static String createTable(StoreTable table) {
        return "CREATE TABLE IF NOT EXISTS " + table.sqlName() + " (" + columns(table)
                + (table == StoreTable.LATEST_TIMES ? ", PRIMARY KEY (device_id, event_type)" : "") + ")";
    }

    /** Where a block of a table without windows is put first: in memory, on the one connection that writes. */
    static String createDraft(StoreTable table) {
        return "CREATE TEMP TABLE IF NOT EXISTS " + draft(table) + " (" + columns(table) + ")";
    }

    private static String draft(StoreTable table) {
        return table.sqlName() + "_draft";
    }

    private static String columns(StoreTable table) {
        return RowColumns.of(table).stream()
                .map(column -> column.name() + " " + sqlType(column.type()) + " NOT NULL")
                .collect(Collectors.joining(", "));
    }

    static String sqlType(RowColumns.Type type) {
        return switch (type) {
            case STRING -> "VARCHAR";
            case BYTES -> "BLOB";
            case INT32 -> "INTEGER";
            case INT64 -> "BIGINT";
            case FLOAT64 -> "DOUBLE";
        };
    }

    /**
     * What a block added.
     *
     * @param ends the least and the greatest window end
     * @param offsets the same of dead letters' {@code position_minor}
     */
    record Appended(int rows, Span ends, Span offsets, long[] latestIntendedSendTimesMicros) {
        /** What a block that was repeated added. */
        static Appended nothing() {
            return new Appended(0, new Span(), new Span(), new long[0]);
        }
    }

    /** The least and the greatest number, where there is one. */
    static final class Span {
        private long least = Long.MAX_VALUE;
        private long greatest = Long.MIN_VALUE;

        private void add(long number) {
            least = Math.min(least, number);
            greatest = Math.max(greatest, number);
        }

        /** {@link Long#MIN_VALUE} where there is none. */
        long greatest() {
            return greatest;
        }
    }

    /**
     * Inserts all rows of a block; IllegalArgumentException names the first one that cannot be.
     *
     * @param completeTo see {@link Progress#completeTo}: windows that end by then are there, so a block with such has them again, under
     *     another token. A job that has lost its newest checkpoints, by a power cut say, sends them so.
     */
    static Appended insert(DuckDBConnection connection, StoreBlock block, long completeTo) throws SQLException {
        StoreTable table = block.table();
        boolean isDrafted = table != StoreTable.WINDOWS;
        Appended appended;
        try (DuckDBAppender appender = isDrafted
                ? connection.createAppender("temp", "main", draft(table))
                : connection.createAppender(table.sqlName())) {
            appended = append(appender, table, block.bytes(), block.rows());
            // What close() flushes may fail, and it says nothing of it.
            appender.flush();
        }
        if (isDrafted) {
            Database.execute(
                    connection,
                    table == StoreTable.LATEST_TIMES ? fromLatestTimes() : fromDeadLetters(appended.offsets()));
            Database.execute(connection, "DELETE FROM " + draft(table));
        } else if (appended.ends().least <= completeTo) {
            keepOne(connection, appended.ends());
        }
        return appended;
    }

    /** Of one device and type every column only ever grows, so the greatest of each are those of the newest row. */
    private static String fromLatestTimes() {
        return "INSERT INTO latest_times SELECT device_id, event_type, max(latest), max(readings), max(as_of) FROM "
                + draft(StoreTable.LATEST_TIMES)
                + " GROUP BY device_id, event_type ON CONFLICT DO UPDATE SET latest = excluded.latest,"
                + " readings = excluded.readings, as_of = excluded.as_of WHERE excluded.as_of > latest_times.as_of";
    }

    /** Those that are not there yet. What it takes is for the block's letters, however many the table has: those are only looked through. */
    private static String fromDeadLetters(Span offsets) {
        return "INSERT INTO dead_letters SELECT DISTINCT ON (" + LETTER_KEY + ") * FROM "
                + draft(StoreTable.DEAD_LETTERS) + " d WHERE NOT EXISTS (FROM dead_letters l WHERE "
                + within("l.position_minor", offsets) + " AND l.partition = d.partition"
                + " AND l.position_major = d.position_major AND l.position_minor = d.position_minor)";
    }

    private static String within(String column, Span span) {
        return column + " BETWEEN " + span.least + " AND " + span.greatest;
    }

    /** Of windows of one key one stays. They end within {@code span}: the statistics of the file's blocks tell where that is. */
    private static void keepOne(DuckDBConnection connection, Span span) throws SQLException {
        String within = within("window_end", span);
        Database.execute(
                connection,
                "DELETE FROM windows WHERE " + within + " AND rowid NOT IN (SELECT min(rowid) FROM windows WHERE "
                        + within + " GROUP BY device_id, window_start)");
    }

    private static Appended append(DuckDBAppender appender, StoreTable table, byte[] bytes, int expectedRows)
            throws SQLException {
        RowBinary.Decoder decoder = new RowBinary.Decoder(new ByteArrayInputStream(bytes));
        long[] latest = new long[table == StoreTable.WINDOWS ? Math.min(expectedRows, bytes.length / 300 + 1) : 0];
        Span ends = new Span();
        Span offsets = new Span();
        int rows = 0;
        try {
            while (true) {
                if (table == StoreTable.WINDOWS) {
                    DeviceWindow window = decoder.nextWindow();
                    if (window == null) {
                        break;
                    }
                    check(window);
                    append(appender, window);
                    ends.add(window.windowEnd());
                    if (rows < latest.length) {
                        latest[rows] = window.values().latestIntendedSendTime;
                    }
                } else if (table == StoreTable.LATEST_TIMES) {
                    LatestTime time = decoder.nextLatestTime();
                    if (time == null) {
                        break;
                    }
                    append(appender, time);
                } else {
                    DeadLetter letter = decoder.nextDeadLetter();
                    if (letter == null) {
                        break;
                    }
                    append(appender, letter);
                    offsets.add(letter.position().minor());
                }
                rows++;
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "row " + rows + " of the block for " + table.sqlName() + ": " + e.getMessage(), e);
        }
        if (rows != expectedRows) {
            throw new IllegalArgumentException(
                    "the block for " + table.sqlName() + " has " + rows + " rows and says it has " + expectedRows);
        }
        return new Appended(rows, ends, offsets, Arrays.copyOf(latest, Math.min(rows, latest.length)));
    }

    private static void check(DeviceWindow window) {
        if (window.windowEnd() <= window.windowStart()) {
            throw new IllegalArgumentException(
                    "window_end " + window.windowEnd() + " is not after window_start " + window.windowStart());
        }
        if (window.values().readings < 1) {
            throw new IllegalArgumentException("a window of " + window.values().readings + " readings");
        }
    }

    private static void append(DuckDBAppender row, DeviceWindow window) throws SQLException {
        Accumulator values = window.values();
        row.beginRow()
                .append(window.deviceId())
                .append(window.windowStart())
                .append(window.windowEnd())
                .append(values.readings)
                .append(values.firstSequence)
                .append(values.lastSequence);
        for (int i = 0; i < Measure.COUNT; i++) {
            row.append(values.min[i]).append(values.max[i]).append(values.sum[i]);
        }
        row.append(values.errorCount)
                .append(values.packetsSent)
                .append(values.packetsReceived)
                .append(values.bytesSent)
                .append(values.bytesReceived);
        for (long readings : values.statusReadings) {
            row.append(readings);
        }
        row.append(values.latestIntendedSendTime).endRow();
    }

    private static void append(DuckDBAppender row, LatestTime time) throws SQLException {
        row.beginRow()
                .append(time.deviceId())
                .append(time.eventType())
                .append(time.latest())
                .append(time.readings())
                .append(time.asOf())
                .endRow();
    }

    private static void append(DuckDBAppender row, DeadLetter letter) throws SQLException {
        row.beginRow()
                .append(letter.reason().name().toLowerCase(Locale.ROOT))
                .append(letter.partition())
                .append(letter.position().major())
                .append(letter.position().minor())
                .append(letter.eventTime())
                .append(letter.payload())
                .endRow();
    }

    /** The row at which the result of {@code SELECT * FROM windows} stands. */
    static DeviceWindow window(ResultSet row) throws SQLException {
        int column = 1;
        String deviceId = row.getString(column++);
        long windowStart = row.getLong(column++);
        long windowEnd = row.getLong(column++);
        Accumulator values = new Accumulator();
        values.readings = row.getLong(column++);
        values.firstSequence = row.getLong(column++);
        values.lastSequence = row.getLong(column++);
        for (int i = 0; i < Measure.COUNT; i++) {
            values.min[i] = row.getDouble(column++);
            values.max[i] = row.getDouble(column++);
            values.sum[i] = row.getDouble(column++);
        }
        values.errorCount = row.getLong(column++);
        values.packetsSent = row.getLong(column++);
        values.packetsReceived = row.getLong(column++);
        values.bytesSent = row.getLong(column++);
        values.bytesReceived = row.getLong(column++);
        for (int i = 0; i < Status.COUNT; i++) {
            values.statusReadings[i] = row.getLong(column++);
        }
        values.latestIntendedSendTime = row.getLong(column);
        return new DeviceWindow(deviceId, windowStart, windowEnd, values);
    }

    /** The row at which the result of {@code SELECT * FROM latest_times} stands. */
    static LatestTime latestTime(ResultSet row) throws SQLException {
        return new LatestTime(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4), row.getLong(5));
    }

    /** The row at which the result of {@code SELECT * FROM dead_letters} stands. */
    static DeadLetter deadLetter(ResultSet row) throws SQLException {
        return new DeadLetter(
                DeadLetter.Reason.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                row.getInt(2),
                new Position(row.getLong(3), row.getLong(4)),
                row.getLong(5),
                row.getBytes(6));
    }
}
