package dev.millrace.deploy.kubernetes.monitoring;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Prometheus' own tool, which has its parser and its rules in it. Used by one thread. */
final class Promtool {
    private static final long BOUND_SECONDS = 60;
    private static final String LOOKED_AT = "30m";

    private final Path folder;

    /** What it said, and whether it was content. */
    record Said(boolean isWell, String text) {}

    private Promtool(Path folder) {
        this.folder = folder;
    }

    /**
     * Where the build runs unattended (CI is set) it must be there; a person's test is skipped with a sentence when it is not.
     *
     * @param folder an empty one
     */
    static Promtool in(Path folder) {
        boolean isThere = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "promtool")));
        if (System.getenv("CI") == null) {
            assumeThat(isThere)
                    .as("alerts are tried out with promtool, which is part of Prometheus (Debian: package prometheus)")
                    .isTrue();
        }
        return new Promtool(folder);
    }

    /** Whether it takes these groups of rules. */
    Said check(List<JsonNode> groups) throws Exception {
        return run("check", "rules", rules(groups).toString());
    }

    private Path rules(List<JsonNode> groups) throws IOException {
        Path file = folder.resolve("rules.yaml");
        Monitored.YAML.writeValue(file.toFile(), Map.of("groups", groups));
        return file;
    }

    /**
     * Whether each alert goes off once with the one series, and is not even pending with the other.
     *
     * @param cases by alert: its series, each with a list of values for the first and the second of these
     * @param isSwapped tells it the series the other way round
     */
    Said test(List<JsonNode> groups, JsonNode cases, boolean isSwapped) throws Exception {
        rules(groups);
        List<Object> tests = new ArrayList<>();
        cases.properties().forEach(alert -> {
            String all = "{alertname=\"" + alert.getKey() + "\"}";
            String firing = "count(ALERTS{alertname=\"" + alert.getKey() + "\",alertstate=\"firing\"})";
            tests.add(one(alert.getValue(), isSwapped, firing, List.of(Map.of("labels", "{}", "value", 1))));
            tests.add(one(alert.getValue(), !isSwapped, "ALERTS" + all, List.of()));
        });
        Path file = folder.resolve("test.yaml");
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("rule_files", List.of("rules.yaml"));
        whole.put("evaluation_interval", "1m");
        whole.put("tests", tests);
        Monitored.YAML.writeValue(file.toFile(), whole);
        return run("test", "rules", file.toString());
    }

    private static Map<String, Object> one(JsonNode series, boolean isSecond, String expression, List<?> samples) {
        List<Map<String, String>> input = new ArrayList<>();
        series.properties().forEach(one -> {
            JsonNode values = one.getValue();
            String value = values.get(isSecond ? values.size() - 1 : 0).asText();
            input.add(Map.of("series", one.getKey(), "values", value));
        });
        return Map.of(
                "interval",
                "1m",
                "input_series",
                input,
                "promql_expr_test",
                List.of(Map.of("expr", expression, "eval_time", LOOKED_AT, "exp_samples", samples)));
    }

    private static Said run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(Arrays.asList(arguments));
        Path said = Files.createTempFile("promtool", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " takes longer than " + BOUND_SECONDS + " s");
            }
            return new Said(process.exitValue() == 0, Files.readString(said, StandardCharsets.UTF_8));
        } finally {
            Files.delete(said);
        }
    }
}
