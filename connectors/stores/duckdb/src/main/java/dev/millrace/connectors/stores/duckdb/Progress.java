package dev.millrace.connectors.stores.duckdb;

import dev.millrace.connectors.api.store.StoreClient;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** How far each writer of the job's rows has come, and what follows for their table. */
final class Progress {
    private static final String WATERMARK =
            "coalesce((SELECT max(least) FROM (SELECT min(watermark) AS least FROM _progress"
                    + " GROUP BY writers HAVING count(*) = writers)), " + Database.minimum() + ")";

    private Progress() {}

    /** Raises a writer's watermark; one that is not higher changes nothing. */
    static void advance(DuckDBConnection connection, int writers, int writer, long watermark) throws SQLException {
        Long known = watermark(connection, writers, writer);
        if (watermark == Long.MIN_VALUE || (known != null && known >= watermark)) {
            return;
        }
        String sql = known == null
                ? "INSERT INTO _progress (watermark, writers, writer) VALUES (?, ?, ?)"
                : "UPDATE _progress SET watermark = ? WHERE writers = ? AND writer = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, watermark);
            statement.setInt(2, writers);
            statement.setInt(3, writer);
            statement.execute();
        }
    }

    private static @Nullable Long watermark(DuckDBConnection connection, int writers, int writer) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT watermark FROM _progress WHERE writers = ? AND writer = ?")) {
            statement.setInt(1, writers);
            statement.setInt(2, writer);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : null;
            }
        }
    }

    /** Up to when every row is there, epoch milliseconds; {@link Long#MIN_VALUE} when none is known to be. */
    static long completeTo(DuckDBConnection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + WATERMARK)) {
            row.next();
            return completeTo(row.getLong(1));
        }
    }

    private static long completeTo(long watermark) {
        boolean isBound = watermark == Long.MIN_VALUE || watermark == Long.MAX_VALUE;
        return isBound ? watermark : watermark + 1;
    }

    /** What of the tables can be relied on, all of one state. */
    static StoreClient.Extent extent(DuckDBConnection connection) throws SQLException {
        String sql = "SELECT " + WATERMARK + ","
                + " (SELECT retained_from FROM _retention),"
                + " (SELECT count(*) FROM windows),"
                + " (SELECT count(*) FROM latest_times),"
                + " (SELECT count(*) FROM dead_letters),"
                + " coalesce(greatest((SELECT max(window_end) FROM windows), (SELECT max(as_of) FROM latest_times)), "
                + Database.minimum()
                + ")";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return new StoreClient.Extent(
                    completeTo(row.getLong(1)),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6));
        }
    }
}
