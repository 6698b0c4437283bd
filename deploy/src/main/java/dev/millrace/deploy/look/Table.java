package dev.millrace.deploy.look;

import java.util.ArrayList;
import java.util.List;

/** Columns of plain text, aligned: numbers to the right, the rest to the left, two blanks between. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    /** Adds a row with as many cells as the header; null is printed as "-". */
    public Table row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null ? "-" : cell.toString());
        }
        rows.add(row);
        return this;
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** All lines, each ending with a newline; no blanks at the end of a line. */
    @Override
    public String toString() {
        int columns = rows.get(0).size();
        StringBuilder text = new StringBuilder();
        int[] widths = new int[columns];
        boolean[] numeric = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            numeric[column] = !isEmpty();
            for (int row = 0; row < rows.size(); row++) {
                String cell = rows.get(row).get(column);
                widths[column] = Math.max(widths[column], cell.length());
                numeric[column] &= row == 0 || cell.matches("-|-?[\\d,]+(\\.\\d+)?");
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String cell = row.get(column);
                String fill = " ".repeat(widths[column] - cell.length());
                line.append(column == 0 ? "" : "  ").append(numeric[column] ? fill + cell : cell + fill);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
