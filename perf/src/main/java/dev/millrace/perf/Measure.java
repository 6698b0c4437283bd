package dev.millrace.perf;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Millrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;

/**
 * What {@code mvn -P perf verify} runs at its very end, inside Maven: {@code millrace benchmark} on the brokers whose profiles were
 * named beside it, or on all. A failure is thrown, so that the build fails.
 */
public final class Measure {
    private static final String PREFIX = "millrace.";
    private static final String PROFILES = "profiles=";
    private static final String QUICK = "quick";

    /** The build's own properties, which share the prefix. */
    private static final List<String> INTERNAL =
            List.of("root", "launching", "addOpens", "testForks", "testGroups", "shortLived", "plugin-dir");

    /** Options of the benchmark; every other property is one of {@code up}. */
    private static final List<String> OWN = List.of(
            "scenario",
            "pairs",
            "seed",
            "instances",
            "warm-up",
            "measure",
            "run-dir",
            "target",
            "context",
            "kubeconfig",
            "namespace",
            "base",
            "registry");

    /** Those of them that have no value. */
    private static final List<String> FLAGS = List.of("dry-run", "json");

    private Measure() {}

    /** Argument: {@code profiles=[a, b]}, as Maven writes the list of profiles that were named. */
    public static void main(String[] arguments) {
        List<String> line = line(arguments.length == 0 ? "" : arguments[0], System.getProperties());
        int code = Millrace.run(line.toArray(String[]::new));
        if (code == Millrace.USER_ERROR) {
            throw new UserException("the benchmark did not start; see above");
        }
        if (code != Millrace.OK) {
            throw new EnvironmentException("the benchmark did not end well (exit code " + code + "); see above");
        }
    }

    /** The command line that profiles and {@code -Dmillrace.<option>=} stand for. */
    static List<String> line(String profiles, Properties properties) {
        List<String> line = new ArrayList<>(List.of("benchmark"));
        List<String> brokers = new ArrayList<>();
        for (String profile :
                profiles.replace(PROFILES, "").replaceAll("[\\[\\]\\s]", "").split(",")) {
            if (!profile.isEmpty() && !profile.equals("perf") && !profile.equals("baselines")) {
                brokers.add(profile);
            }
        }
        if (!brokers.isEmpty()) {
            line.addAll(List.of("--brokers", String.join(",", brokers)));
        }
        line.addAll(List.of("--scenario", properties.getProperty(PREFIX + "scenario", QUICK)));
        for (String property : new TreeSet<>(properties.stringPropertyNames())) {
            String key = property.startsWith(PREFIX) ? property.substring(PREFIX.length()) : "";
            String value = properties.getProperty(property);
            if (key.isEmpty() || key.equals("scenario") || INTERNAL.contains(key)) {
                continue;
            }
            if (FLAGS.contains(key)) {
                // Maven makes true of a property that is only named.
                line.addAll(value.equals("false") ? List.of() : List.of("--" + key));
                continue;
            }
            line.addAll(OWN.contains(key) ? List.of("--" + key, value) : List.of("--up", key + "=" + value));
        }
        return line;
    }
}
