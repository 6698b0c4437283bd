package dev.millrace.deploy.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.look.Table;
import java.util.List;
import java.util.Map;

/** What the commands that read the store share. */
final class StoreAccess {
    private static final ObjectMapper JSON = new ObjectMapper();

    private StoreAccess() {}

    /** Rows as one JSON object for each line. */
    static String jsonLines(List<Map<String, Object>> rows) {
        StringBuilder text = new StringBuilder();
        for (Map<String, Object> row : rows) {
            try {
                text.append(JSON.writeValueAsString(row)).append('\n');
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a row of the store is not JSON: " + row, e);
            }
        }
        return text.toString();
    }

    /** Rows as a table, in the store's order of columns. */
    static String table(List<Map<String, Object>> rows) {
        if (rows.isEmpty()) {
            return "no rows\n";
        }
        Table table = new Table(rows.get(0).keySet().toArray(String[]::new));
        rows.forEach(row -> table.row(row.values().toArray()));
        return table.toString();
    }

    static long number(Map<String, Object> row, String column) {
        return row.get(column) instanceof Number number ? number.longValue() : Long.parseLong(row.get(column) + "");
    }

    /** NaN where a store has no word for what is no number: JSON knows none. */
    static double decimal(Map<String, Object> row, String column) {
        Object value = row.get(column);
        if (value == null) {
            return Double.NaN;
        }
        return value instanceof Number number ? number.doubleValue() : Double.parseDouble(value.toString());
    }
}
