package dev.millrace.deploy.kubernetes.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.millrace.connectors.testkit.monitoring.MetricTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder of alerts and dashboards: the neutral one, or a broker's. Immutable.
 *
 * @param name of the broker; empty: what names none
 */
record Monitored(String name) {
    static final Path ROOT = Path.of(System.getProperty("millrace.root", "../.."))
            .toAbsolutePath()
            .normalize();
    static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON = new ObjectMapper();
    /** How a dashboard asks for the values of a label. */
    private static final Pattern VALUES = Pattern.compile("label_values\\((.*), *\\w+\\)");

    private static final String FOLDER = "deploy/kubernetes/c5-i7i/monitoring";

    /** One alert of a rule file. */
    record Alert(Path file, JsonNode rule) {
        String name() {
            return rule.path("alert").asText();
        }

        String expression() {
            return rule.path("expr").asText();
        }

        @Override
        public String toString() {
            return name();
        }
    }

    /** The neutral one, and those of brokers that have one. */
    static List<Monitored> all() {
        List<Monitored> all = new ArrayList<>(List.of(new Monitored("")));
        files(ROOT.resolve("brokers"))
                .filter(broker -> Files.isDirectory(broker.resolve(FOLDER)))
                .forEach(broker -> all.add(new Monitored(broker.getFileName().toString())));
        return all;
    }

    @Override
    public String toString() {
        return name.isEmpty() ? "every stack" : name;
    }

    private Path folder() {
        return name.isEmpty()
                ? ROOT.resolve(FOLDER)
                : ROOT.resolve("brokers").resolve(name).resolve(FOLDER);
    }

    MetricTable table() {
        return name.isEmpty() ? MetricTable.neutral() : MetricTable.ofBroker(name);
    }

    /** The objects of the folder that are of the kind. */
    Stream<JsonNode> objects(String kind) {
        return files(folder())
                .filter(file -> file.toString().endsWith(".yaml"))
                .flatMap(file -> documents(file).stream())
                .filter(object -> object.path("kind").asText().equals(kind));
    }

    List<Alert> alerts() {
        List<Alert> alerts = new ArrayList<>();
        files(folder()).filter(file -> file.toString().endsWith(".yaml")).forEach(file -> documents(file).stream()
                .filter(object -> object.path("kind").asText().equals("PrometheusRule"))
                .forEach(object -> object.path("spec").path("groups").forEach(group -> group.path("rules")
                        .forEach(rule -> alerts.add(new Alert(file, rule))))));
        return alerts;
    }

    List<JsonNode> dashboards() {
        return files(folder())
                .filter(file -> file.toString().endsWith(".json"))
                .map(Monitored::json)
                .toList();
    }

    /** What the panels of all dashboards ask for, and what they are chosen by. */
    List<String> asked() {
        List<String> asked = new ArrayList<>();
        dashboards().forEach(dashboard -> {
            dashboard.path("panels").forEach(panel -> panel.path("targets")
                    .forEach(target -> asked.add(target.path("expr").asText())));
            dashboard.path("templating").path("list").forEach(variable -> {
                Matcher values = VALUES.matcher(variable.path("definition").asText());
                if (values.matches()) {
                    asked.add(values.group(1));
                }
            });
        });
        return asked;
    }

    /** Every metric that an alert or a panel asks for. */
    Set<String> metrics() {
        Set<String> metrics = new TreeSet<>();
        alerts().forEach(alert -> metrics.addAll(PromQl.metrics(alert.expression())));
        asked().forEach(expression -> metrics.addAll(PromQl.metrics(expression)));
        return metrics;
    }

    /** Series for each alert, with which it goes off, and with which it just does not; among the tests of whose it is. */
    Path cases() {
        return name.isEmpty()
                ? ROOT.resolve(
                        "deploy/kubernetes/src/test/resources/dev/millrace/deploy/kubernetes/monitoring/alerts.yaml")
                : ROOT.resolve("brokers").resolve(name).resolve("src/test/resources/c5-i7i/alerts.yaml");
    }

    static List<JsonNode> documents(Path file) {
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is no JSON", e);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
