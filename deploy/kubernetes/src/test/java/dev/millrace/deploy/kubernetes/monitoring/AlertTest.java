package dev.millrace.deploy.kubernetes.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every alert goes off once, and does not where it just should not: by Prometheus' own rules, with series that are made up. */
class AlertTest {
    private static final Pattern METRIC = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\{.*}");

    @TempDir
    Path folder;

    static List<Monitored> folders() {
        return Monitored.all();
    }

    private static JsonNode cases(Monitored of) {
        return Monitored.documents(of.cases()).get(0);
    }

    private static List<JsonNode> groups(Monitored of) {
        List<JsonNode> groups = new ArrayList<>();
        of.objects("PrometheusRule")
                .forEach(rule -> rule.path("spec").path("groups").forEach(groups::add));
        return groups;
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName("every alert goes off once, and with values just on the right side it is not even pending")
    void once(Monitored of) throws Exception {
        Promtool.Said said = Promtool.in(folder).test(groups(of), cases(of), false);
        assertThat(said.isWell()).as(said.text()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName("with the series the other way round there is a failure of every alert, each way: the trial can fail")
    void swapped(Monitored of) throws Exception {
        Promtool.Said said = Promtool.in(folder).test(groups(of), cases(of), true);
        assertThat(said.isWell()).isFalse();
        for (Monitored.Alert alert : of.alerts()) {
            String wrong = said.text();
            assertThat(wrong.split("alertname=\\\\?\"" + alert.name() + "\\\\?\"", -1).length - 1)
                    .as("failures of " + alert + " in " + wrong)
                    .isGreaterThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName(
            "whatever metric of an alert loses a letter, the alert does not go off any more, or goes off where it should not")
    void planted(Monitored of) throws Exception {
        Promtool promtool = Promtool.in(folder);
        int most = of.alerts().stream()
                .mapToInt(alert -> PromQl.metrics(alert.expression()).size())
                .max()
                .orElseThrow();
        // One metric of each alert at a time: the others would be enough for some.
        for (int nth = 0; nth < most; nth++) {
            List<JsonNode> groups = groups(of);
            List<String> planted = new ArrayList<>();
            for (JsonNode group : groups) {
                for (JsonNode rule : group.path("rules")) {
                    String expression = rule.path("expr").asText();
                    List<String> metrics = List.copyOf(PromQl.metrics(expression));
                    if (nth < metrics.size()) {
                        String metric = metrics.get(nth);
                        ((ObjectNode) rule)
                                .put("expr", expression.replaceAll("\\b" + metric + "\\b", metric.substring(1)));
                        planted.add(rule.path("alert").asText());
                    }
                }
            }
            Promtool.Said said = promtool.test(groups, cases(of), false);
            assertThat(said.isWell()).isFalse();
            assertThat(planted).isNotEmpty().allMatch(alert -> said.text().contains(alert));
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName("what panels ask for is an expression, and so is what alerts do")
    void expressions(Monitored of) throws Exception {
        List<JsonNode> groups = new ArrayList<>(groups(of));
        ObjectNode panels = Monitored.YAML.createObjectNode().put("name", "panels");
        int number = 0;
        for (String asked : of.asked()) {
            String expression = asked.replace("$__rate_interval", "1m").replace("$namespace", "n");
            panels.withArray("rules")
                    .addObject()
                    .put("record", "panel:" + number++)
                    .put("expr", expression);
        }
        groups.add(panels);
        Promtool.Said said = Promtool.in(folder).check(groups);
        assertThat(said.isWell()).as(said.text()).isTrue();
        assertThat(number).isGreaterThan(10);
    }

    @ParameterizedTest
    @MethodSource("folders")
    @DisplayName("there are series for every alert and for no other, of all the metrics that it asks for")
    void complete(Monitored of) {
        Set<String> names = new TreeSet<>();
        for (Monitored.Alert alert : of.alerts()) {
            assertThat(names.add(alert.name()))
                    .as("one alert of the name " + alert)
                    .isTrue();
            Set<String> given = new TreeSet<>();
            cases(of).path(alert.name()).fieldNames().forEachRemaining(series -> {
                Matcher metric = METRIC.matcher(series);
                assertThat(metric.matches()).as(series).isTrue();
                given.add(metric.group(1));
            });
            assertThat(given).as(alert.name()).isEqualTo(PromQl.metrics(alert.expression()));
        }
        assertThat(cases(of).fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    @DisplayName("no two alerts have one name, and no two rules or things that are scraped")
    void names() {
        List<String> names = new ArrayList<>();
        for (Monitored of : folders()) {
            of.alerts().forEach(alert -> names.add(alert.name()));
            for (String kind : List.of("PrometheusRule", "PodMonitor")) {
                of.objects(kind)
                        .forEach(object -> names.add(
                                kind + object.path("metadata").path("name").asText()));
            }
        }
        assertThat(names).hasSizeGreaterThan(50).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("a checkpoint is slow when it takes a tenth of the interval that the job has")
    void checkpoints() {
        JsonNode job = Monitored.documents(Monitored.ROOT.resolve("deploy/kubernetes/c5-i7i/flink.yaml"))
                .get(0);
        String interval = job.path("spec")
                .path("flinkConfiguration")
                .path("execution.checkpointing.interval")
                .asText();
        assertThat(interval).matches("\\d+ s");
        long tenth =
                Duration.ofSeconds(Long.parseLong(interval.replace(" s", ""))).toMillis() / 10;
        assertThat(new Monitored("").alerts())
                .filteredOn(alert -> alert.name().equals("MillraceCheckpointSlow"))
                .singleElement()
                .satisfies(alert -> assertThat(alert.expression()).endsWith(" > " + tenth));
    }
}
