package dev.millrace.connectors.stores.duckdb;

import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;

/** Whole tables in order, in pieces of bounded memory, all from the caller's one transaction. */
final class Streams {
    /** Sorting and handing over that many rows at once takes some tens of megabytes. */
    private static final int PIECE_ROWS = 50_000;

    private Streams() {}

    /** Takes one row. */
    interface RowConsumer<T> {
        void accept(T row) throws IOException;
    }

    /** {@code (after, to]} in window ends, with as many rows as a piece may have, or one single window end. */
    private record Piece(long after, long to) {}

    static void windows(DuckDBConnection connection, long from, long to, RowConsumer<DeviceWindow> consumer)
            throws SQLException, IOException {
        String sql = "SELECT * FROM windows WHERE window_end > ? AND window_end <= ?"
                + " ORDER BY window_end, device_id, window_start";
        for (Piece piece : pieces(connection, from, to)) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setLong(1, piece.after());
                statement.setLong(2, piece.to());
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        consumer.accept(Rows.window(row));
                    }
                }
            }
        }
    }

    private static List<Piece> pieces(DuckDBConnection connection, long from, long to) throws SQLException {
        List<Piece> pieces = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT window_end, count(*) FROM windows"
                + " WHERE window_end > ? AND window_end <= ? GROUP BY window_end ORDER BY window_end")) {
            statement.setLong(1, from);
            statement.setLong(2, to);
            try (ResultSet row = statement.executeQuery()) {
                long after = from;
                long last = from;
                long rows = 0;
                while (row.next()) {
                    if (rows > 0 && rows + row.getLong(2) > PIECE_ROWS) {
                        pieces.add(new Piece(after, last));
                        after = last;
                        rows = 0;
                    }
                    last = row.getLong(1);
                    rows += row.getLong(2);
                }
                if (rows > 0) {
                    pieces.add(new Piece(after, last));
                }
            }
        }
        return pieces;
    }

    /** By the index of the table's key a piece would be no cheaper; DuckDB takes a large sort to disk. */
    static void latestTimes(DuckDBConnection connection, RowConsumer<LatestTime> consumer)
            throws SQLException, IOException {
        String sql = "SELECT * FROM latest_times ORDER BY device_id, event_type";
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                consumer.accept(Rows.latestTime(row));
            }
        }
    }

    /** There are few dead letters, or something is badly wrong: one sort, which DuckDB takes to disk when it is large. */
    static void deadLetters(DuckDBConnection connection, RowConsumer<DeadLetter> consumer)
            throws SQLException, IOException {
        String sql = "SELECT * FROM dead_letters ORDER BY partition, position_major, position_minor, reason";
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                consumer.accept(Rows.deadLetter(row));
            }
        }
    }
}
