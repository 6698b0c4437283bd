package dev.millrace.perf.report;

import java.util.List;
import java.util.Map;

/**
 * A table, before it is HTML or Markdown.
 *
 * @param caption what it shows, a sentence or a few words
 * @param rows each with one cell for each column; the first cell is the row's name
 */
record Grid(String caption, List<Column> columns, List<Row> rows) {

    /**
     * One column.
     *
     * @param unit beside the title; empty for none
     * @param isNumber whether its cells stand at the right
     */
    record Column(String title, String unit, boolean isNumber) {
        static Column text(String title) {
            return new Column(title, "", false);
        }

        static Column number(String title, String unit) {
            return new Column(title, unit, true);
        }
    }

    /**
     * One row.
     *
     * @param kind "invalid" for an INVALID run, "decides" for the figure of the verdict, else empty
     */
    record Row(String kind, List<String> cells) {
        static Row of(List<String> cells) {
            return new Row("", cells);
        }
    }

    /** Names and values, in the map's order. */
    static Grid pairs(String caption, String name, String value, Map<String, String> all) {
        return new Grid(
                caption,
                List.of(Column.text(name), Column.text(value)),
                all.entrySet().stream()
                        .map(entry -> Row.of(List.of(entry.getKey(), entry.getValue())))
                        .toList());
    }
}
