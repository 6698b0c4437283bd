package dev.millrace.perf;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options of {@code up} that every benchmark passes on. */
public final class UpOptions {
    @Option(
            names = "--up",
            paramLabel = "KEY=VALUE",
            description =
                    "any other option of `millrace up` (also broker.KEY, store.KEY), for every broker alike; may be repeated")
    List<String> given = List.of();

    /** By name; what is none goes to {@code problems}. */
    public Map<String, String> options(List<String> problems) {
        Map<String, String> options = new TreeMap<>();
        for (String option : given) {
            int equals = option.indexOf('=');
            if (equals > 0) {
                options.put(option.substring(0, equals), option.substring(equals + 1));
            } else {
                problems.add("--up is '" + option + "'; it must be KEY=VALUE");
            }
        }
        return options;
    }
}
