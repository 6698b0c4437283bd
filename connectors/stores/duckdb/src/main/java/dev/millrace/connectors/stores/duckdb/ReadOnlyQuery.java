package dev.millrace.connectors.stores.duckdb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Blob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;

/**
 * One question in SQL, answered as JSON lines. Four things stand between it and the data: DuckDB's own parser must see one
 * SELECT (or WITH, FROM, VALUES, SHOW, DESCRIBE, SUMMARIZE, which it makes SELECTs of) without table functions but a few, the
 * transaction is read-only, and the process reads no file but its own and takes no setting.
 */
final class ReadOnlyQuery {
    static final int MAX_ROWS = 10_000;
    private static final int MAX_BYTES = 16 << 20;
    private static final int MAX_SECONDS = 30;
    private static final String ALLOWED = "one SELECT, WITH, FROM, VALUES, SHOW, DESCRIBE or SUMMARIZE";
    /** Those that only make or show rows. */
    private static final Pattern TABLE_FUNCTIONS = Pattern.compile(
            "range|generate_series|unnest|repeat|repeat_row|summary|json_each|json_tree|duckdb_[a-z_]+|pragma_[a-z_]+",
            Pattern.CASE_INSENSITIVE);

    private static final ObjectMapper JSON = new ObjectMapper();

    private ReadOnlyQuery() {}

    /** The rows as JSON lines; IllegalArgumentException with a sentence for what is no question or gives too much. */
    static byte[] run(DuckDBConnection connection, String sql) throws SQLException, IOException {
        String question = sql.strip();
        while (question.endsWith(";")) {
            question = question.substring(0, question.length() - 1).strip();
        }
        check(connection, question);
        // The new line ends a comment that the question may end with. One row more than allowed tells that there are
        // more.
        String bounded = "SELECT * FROM (" + question + "\n) LIMIT " + (MAX_ROWS + 1);
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(MAX_SECONDS);
            try (ResultSet row = statement.executeQuery(bounded)) {
                return lines(row);
            }
        } catch (SQLException e) {
            throw new IllegalArgumentException(Database.firstLine(e), e);
        }
    }

    private static void check(DuckDBConnection connection, String sql) throws SQLException, JsonProcessingException {
        JsonNode parsed;
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT json_serialize_sql(CAST(? AS VARCHAR))")) {
            statement.setString(1, sql);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                parsed = JSON.readTree(row.getString(1));
            }
        }
        if (parsed.path("error").asBoolean()) {
            String message = parsed.path("error_message").asText();
            throw new IllegalArgumentException(
                    message.startsWith("Only SELECT")
                            ? "queries are read-only: " + ALLOWED + " is taken"
                            : "this is no SQL that DuckDB reads: " + message);
        }
        if (parsed.path("statements").size() != 1) {
            throw new IllegalArgumentException(
                    parsed.path("statements").size() + " statements; " + ALLOWED + " is taken");
        }
        checkFunctions(parsed);
    }

    /** In a read-only transaction, too, some change what the whole process does; logs that cannot be written let no query through. */
    private static void checkFunctions(JsonNode parsed) {
        if (parsed.path("type").asText().equals("TABLE_FUNCTION")) {
            String name = parsed.path("function").path("function_name").asText();
            if (!TABLE_FUNCTIONS.matcher(name).matches()) {
                throw new IllegalArgumentException("the table function '" + name
                        + "' is not taken; tables, views, subqueries, range, unnest and the like are");
            }
        }
        parsed.forEach(ReadOnlyQuery::checkFunctions);
    }

    private static byte[] lines(ResultSet row) throws SQLException, IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        ResultSetMetaData columns = row.getMetaData();
        int rows = 0;
        while (row.next()) {
            if (++rows > MAX_ROWS || lines.size() > MAX_BYTES) {
                throw new IllegalArgumentException("the query gives more than " + MAX_ROWS + " rows or "
                        + (MAX_BYTES >> 20) + " MiB; aggregate or add a LIMIT");
            }
            Map<String, Object> values = new LinkedHashMap<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                values.put(columns.getColumnLabel(column), jsonValue(row.getObject(column)));
            }
            lines.write(JSON.writeValueAsBytes(values));
            lines.write('\n');
        }
        return lines.toByteArray();
    }

    private static Object jsonValue(Object value) throws SQLException {
        if (value == null || value instanceof Boolean || value instanceof String) {
            return value;
        }
        if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
            return number.toString();
        }
        if (value instanceof BigDecimal number) {
            return number;
        }
        if (value instanceof Number) {
            return value;
        }
        if (value instanceof Blob blob) {
            return blob.getBytes(1, (int) blob.length());
        }
        return value.toString();
    }
}
