package dev.millrace.connectors.generator;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Properties;

/**
 * What whoever audited the stack last has left in a file, read anew at each look. Before the first audit, and where the file makes no
 * sense, all of it is NaN: no audit is not a good one. Immutable.
 */
record AuditVerdict(Path file) {
    /** What there is a count of: rows that were looked at, and those that were not as the ledger says. */
    static final List<String> ROWS = List.of("checked", "missing", "surplus", "different");

    double rows(String what) {
        String value = read().getProperty(what.equals("checked") ? "rows-checked" : what, "");
        return value.matches("\\d{1,18}") ? Double.parseDouble(value) : Double.NaN;
    }

    /** Whether all is as the ledger says: 1 or 0. Counts of rows do not tell all, late readings that should not be among them. */
    double equal() {
        return switch (read().getProperty("equal", "")) {
            case "true" -> 1;
            case "false" -> 0;
            default -> Double.NaN;
        };
    }

    double endedSeconds() {
        try {
            return Instant.parse(read().getProperty("audited-at", "")).getEpochSecond();
        } catch (DateTimeParseException e) {
            return Double.NaN;
        }
    }

    private Properties read() {
        Properties values = new Properties();
        if (Files.isRegularFile(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                values.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                // It is replaced in one piece; what cannot be read is nobody's verdict.
                values.clear();
            }
        }
        return values;
    }
}
