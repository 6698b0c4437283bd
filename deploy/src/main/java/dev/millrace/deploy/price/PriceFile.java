package dev.millrace.deploy.price;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Suggestion;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One price file: commas between cells and none in them, no quotes, a line of names first. */
final class PriceFile {
    private static final String TYPE = "instance_type";
    private static final String PRICE = "price_per_hour";
    private static final String CURRENCY = "currency";
    private static final String REGION = "region";
    private static final String OPERATING_SYSTEM = "operating_system";
    private static final String TERMS = "terms";
    private static final String DATE = "date";
    private static final String SOURCE = "source";

    /** All of them, in every file and in every row: a price without source or date is none. */
    static final List<String> COLUMNS = List.of(TYPE, PRICE, CURRENCY, REGION, OPERATING_SYSTEM, TERMS, DATE, SOURCE);

    private static final String NUMBER = "\\d{1,6}(\\.\\d{1,6})?";
    private static final String USD = "USD";

    private final Path file;
    private final List<String> names;
    private final List<String> problems;

    private PriceFile(Path file, List<String> names, List<String> problems) {
        this.file = file;
        this.names = names;
        this.problems = problems;
    }

    /**
     * A price and where it stands.
     *
     * @param place file and line, for messages
     */
    record Row(String place, Price price) {}

    /** What is right in the file; what is wrong goes to {@code problems}, with file and line. */
    static List<Row> read(Path file, List<String> problems) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            problems.add(file + ": this is no text in UTF-8");
            return List.of();
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (lines.isEmpty()) {
            problems.add(file + ":1: the file is empty; it must begin with " + String.join(",", COLUMNS));
            return List.of();
        }
        PriceFile prices = new PriceFile(file, cells(lines.get(0)), problems);
        if (!prices.checkNames()) {
            return List.of();
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String place = file + ":" + (i + 1);
            prices.price(place, cells(lines.get(i))).ifPresent(price -> rows.add(new Row(place, price)));
        }
        return rows;
    }

    private static List<String> cells(String line) {
        return List.of(line.split(",", -1)).stream().map(String::strip).toList();
    }

    private boolean checkNames() {
        int before = problems.size();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!COLUMNS.contains(name)) {
                problem("unknown column '" + name + "'"
                        + Suggestion.nearest(name, COLUMNS)
                                .map(near -> ". Did you mean '" + near + "'?")
                                .orElse("; known are " + String.join(", ", COLUMNS)));
            } else if (!seen.add(name)) {
                problem("column " + name + " is there twice; leave one");
            }
        }
        COLUMNS.stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> problem("column " + name + " is missing"));
        return problems.size() == before;
    }

    private void problem(String sentence) {
        problems.add(file + ":1: " + sentence);
    }

    /** Empty when something in the row is wrong. */
    private Optional<Price> price(String place, List<String> cells) {
        if (cells.size() != names.size()) {
            problems.add(place + ": the line has " + cells.size() + (cells.size() == 1 ? " cell" : " cells")
                    + "; it must have " + names.size() + ", with a comma between two and none in one");
            return Optional.empty();
        }
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(names.get(i), cells.get(i));
        }
        int before = problems.size();
        for (String name : COLUMNS) {
            String cell = row.getOrDefault(name, "");
            String right = right(name, cell);
            if (!right.isEmpty()) {
                problems.add(place + ": " + name + " is " + (cell.isEmpty() ? "empty" : "'" + cell + "'")
                        + "; it must be " + right);
            }
        }
        return problems.size() > before ? Optional.empty() : Optional.of(price(row));
    }

    /** What a cell must be; empty when it is. */
    private static String right(String name, String cell) {
        boolean isRight =
                switch (name) {
                    case TYPE -> InstanceType.isType(cell);
                    case PRICE -> cell.matches(NUMBER) && new BigDecimal(cell).signum() > 0;
                    case CURRENCY -> cell.equals(USD);
                    case DATE -> isDate(cell);
                    default -> !cell.isEmpty() && cell.indexOf('"') < 0;
                };
        return isRight
                ? ""
                : switch (name) {
                    case TYPE -> "family and size, such as c5.2xlarge";
                    case PRICE -> "a number above 0 such as 0.34";
                    case CURRENCY -> USD + ", the currency of all figures";
                    case DATE -> "the day on which the source had the price, such as 2026-07-20";
                    case SOURCE -> "where the price is from, without quotes; without a source it is no price";
                    default -> "a text without quotes";
                };
    }

    private static boolean isDate(String cell) {
        try {
            LocalDate.parse(cell);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static Price price(Map<String, String> row) {
        return new Price(
                text(row, TYPE),
                new BigDecimal(text(row, PRICE)).stripTrailingZeros(),
                text(row, REGION),
                text(row, OPERATING_SYSTEM),
                text(row, TERMS),
                LocalDate.parse(text(row, DATE)),
                text(row, SOURCE));
    }

    private static String text(Map<String, String> row, String name) {
        return row.getOrDefault(name, "");
    }
}
