package dev.millrace.connectors.stores.duckdb;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The tokens of blocks that were taken: in the same transaction as their rows, so that a block is there once. */
final class Tokens {
    private Tokens() {}

    static boolean taken(Connection connection, String token) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM _commits WHERE token_hash = ? AND token = ?")) {
            statement.setInt(1, token.hashCode());
            statement.setString(2, token);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Whoever sends a block again may do so once more. */
    static void renew(Connection connection, String token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE _commits SET taken_millis = ? WHERE token_hash = ? AND token = ?")) {
            statement.setLong(1, System.currentTimeMillis());
            statement.setInt(2, token.hashCode());
            statement.setString(3, token);
            statement.execute();
        }
    }

    static void remember(Connection connection, String token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO _commits VALUES (?, ?, ?)")) {
            statement.setInt(1, token.hashCode());
            statement.setString(2, token);
            statement.setLong(3, System.currentTimeMillis());
            statement.execute();
        }
    }
}
