package dev.millrace.deploy.price;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The prices that there are, the newest of each instance type. Immutable. */
public final class Prices {
    /** Where the clone has its price files. */
    public static final Path FOLDER = Path.of("deploy/infrastructure/prices");

    /** Of every file, in any order. */
    public static final List<String> COLUMNS = PriceFile.COLUMNS;

    private static final String ENDING = ".csv";

    private final Map<String, Price> newest;

    private Prices(Map<String, Price> newest) {
        this.newest = newest;
    }

    /**
     * Reads every {@code .csv} file of a folder; columns are {@link #COLUMNS}.
     *
     * @return no price at all when there is no such folder
     * @throws UserException when anything in a file is wrong: a line for each problem, with file and line
     * @throws EnvironmentException when a file cannot be read
     */
    public static Prices in(Path folder) {
        List<String> problems = new ArrayList<>();
        List<PriceFile.Row> rows = new ArrayList<>();
        for (Path file : files(folder)) {
            rows.addAll(PriceFile.read(file, problems));
        }
        checkAlike(rows, problems);
        Map<String, Price> newest = new TreeMap<>();
        Map<String, String> places = new HashMap<>();
        for (PriceFile.Row row : rows) {
            Price price = row.price();
            String before = places.putIfAbsent(price.type() + " " + price.date(), row.place());
            if (before != null) {
                problems.add(row.place() + ": " + price.type() + " has a price of " + price.date() + " already, in "
                        + before + "; leave one");
            }
            newest.merge(price.type(), price, (one, other) -> one.date().isBefore(other.date()) ? other : one);
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        return new Prices(Collections.unmodifiableMap(newest));
    }

    /** A type is named without region, system and terms, so there must be one of each; else prices of two would be added up. */
    private static void checkAlike(List<PriceFile.Row> rows, List<String> problems) {
        for (PriceFile.Row row : rows) {
            PriceFile.Row first = rows.get(0);
            if (!offer(row.price()).equals(offer(first.price()))) {
                problems.add(row.place() + ": this price is of " + offer(row.price()) + ", that in " + first.place()
                        + " of " + offer(first.price())
                        + "; all must be of one region, operating system and terms, as instances are named without");
            }
        }
    }

    private static String offer(Price price) {
        return String.join(" ", price.region(), price.operatingSystem(), price.terms());
    }

    private static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new EnvironmentException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Empty when no file has one. */
    public Optional<Price> of(String type) {
        return Optional.ofNullable(newest.get(type));
    }

    /** Types that have a price, sorted. */
    public Set<String> types() {
        return newest.keySet();
    }
}
