package dev.millrace.connectors.testkit.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table {@code metrics.md} beside alerts and dashboards: where each metric in them comes from. Rows are {@code | `NAME` | scrape: SERVER |},
 * which a test of that server finds there, or {@code | `NAME` | documentation: WHERE |}, for what does not run in a build. Immutable.
 *
 * @param origins by metric
 */
public record MetricTable(Map<String, String> origins) {
    private static final String FILE = "metrics.md";
    private static final String SCRAPE = "scrape: ";
    private static final Pattern ROW = Pattern.compile("\\| `([^`]*)` \\| (.*) \\|");
    private static final Pattern METRIC = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern ORIGIN = Pattern.compile("scrape: [a-z]+|documentation: \\S.{10,}");

    /** What names no broker. */
    public static MetricTable neutral() {
        return of(root().resolve("deploy/kubernetes/c5-i7i/monitoring"));
    }

    public static MetricTable ofBroker(String broker) {
        return of(root().resolve("brokers").resolve(broker).resolve("deploy/kubernetes/c5-i7i/monitoring"));
    }

    private static Path root() {
        return Path.of(System.getProperty("millrace.root", "../..")).toAbsolutePath();
    }

    private static MetricTable of(Path folder) {
        try {
            return parsed(Files.readString(folder.resolve(FILE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A row that is neither of the two kinds, or is there twice, is an error. */
    public static MetricTable parsed(String text) {
        Map<String, String> origins = new LinkedHashMap<>();
        for (String line : text.lines().filter(line -> line.startsWith("| `")).toList()) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()
                    || !METRIC.matcher(row.group(1)).matches()
                    || !ORIGIN.matcher(row.group(2)).matches()
                    || origins.put(row.group(1), row.group(2)) != null) {
                throw new IllegalArgumentException("no row of " + FILE + ", or one that is there already: " + line);
            }
        }
        return new MetricTable(origins);
    }

    /** The servers whose scrapes have rows. */
    public Set<String> servers() {
        return origins.values().stream()
                .filter(origin -> origin.startsWith(SCRAPE))
                .map(origin -> origin.substring(SCRAPE.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What must be in a scrape of the server. */
    public List<String> of(String server) {
        return origins.entrySet().stream()
                .filter(row -> row.getValue().equals(SCRAPE + server))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Of what must be in a scrape of the server, what is not.
     *
     * @param scrape in Prometheus' text format
     */
    public List<String> missing(String server, String scrape) {
        List<String> missing = new ArrayList<>(of(server));
        missing.removeAll(names(scrape));
        return missing;
    }

    /** The names of all samples, in Prometheus' text format. */
    public static Set<String> names(String scrape) {
        Set<String> names = new TreeSet<>();
        scrape.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher name = METRIC.matcher(line);
            if (name.lookingAt()) {
                names.add(name.group());
            }
        });
        return names;
    }
}
