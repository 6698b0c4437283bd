package dev.millrace.deploy;

import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Suggestion;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.command.Millrace;
import dev.millrace.deploy.local.Installation;
import dev.millrace.deploy.local.OutsidePlugin;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.local.lifecycle.StackLauncher;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What {@code mvn -P BROKER deploy} runs at its very end, inside Maven: {@code up} for every broker whose profile was named. A
 * failure is thrown, so that the build fails with its sentence.
 */
public final class Launch {
    private static final String PREFIX = "millrace.";
    private static final String PROFILES = "profiles=";
    private static final String MEASURES = "perf";
    private static final String SETTINGS = "settings";
    private static final String RUN_DIR = "run-dir";
    private static final String DRY_RUN = "dry-run";
    private static final String DROP_STATE = "drop-state";

    /** The build's own properties, which share the prefix. */
    private static final List<String> INTERNAL =
            List.of("root", "launching", "addOpens", "testForks", "testGroups", "shortLived", "target");

    private static final String LOCAL = "local";
    private static final List<String> FLAGS = List.of(DRY_RUN, DROP_STATE, "force-conflicts");

    private Launch() {}

    /** Argument: {@code profiles=[a, b]}, as Maven writes the list of profiles that were named. */
    public static void main(String[] arguments) {
        String target = System.getProperty(PREFIX + "target", LOCAL);
        if (!target.equals(LOCAL)) {
            Installation installation = Installation.here();
            brokers(arguments.length == 0 ? "" : arguments[0], installation.brokers(), Optional.empty())
                    .forEach(broker -> upOn(target, broker));
            return;
        }
        Asked asked = asked(System.getProperties());
        Installation installation =
                Installation.here().with(asked.options().get("plugin-dir").map(Path::of));
        List<String> brokers = brokers(
                arguments.length == 0 ? "" : arguments[0],
                installation.brokers(),
                installation.outside().map(OutsidePlugin::broker));
        Path base = asked.runDir().orElseGet(() -> RunDirectory.defaultBase(installation));
        PrintWriter out = new PrintWriter(System.out, true);
        out.println("With a broker's profile no test runs (mvn verify runs them). Command from here on: "
                + installation.root().resolve("deploy/bin/millrace"));
        List<StackSettings> all = new ArrayList<>();
        for (String broker : brokers) {
            installation.builtPlugin(broker);
            StackSettings settings = StackSettings.named(
                    "-Dmillrace.*", asked.options().with("broker", broker), RunDirectory.of(base, broker));
            installation.broker(settings);
            all.add(settings);
        }
        for (StackSettings settings : all) {
            RunDirectory directory = RunDirectory.of(base, settings.broker());
            new StackLauncher(installation, directory, out).up(settings, asked.manner());
        }
    }

    /** Elsewhere {@code up} is the target's own, and so are its options; it says itself what is wrong. */
    private static void upOn(String target, String broker) {
        int code = Millrace.run(upOn(target, broker, System.getProperties()).toArray(String[]::new));
        if (code != Millrace.OK) {
            throw new UserException(
                    "the stack of " + broker + " is not up; the reason is above (exit code " + code + ")");
        }
    }

    /** The command line that the properties mean. */
    static List<String> upOn(String target, String broker, Properties properties) {
        List<String> line = new ArrayList<>(List.of("up", "--target", target, "--broker", broker));
        for (String property : new TreeSet<>(properties.stringPropertyNames())) {
            String key = property.startsWith(PREFIX) ? property.substring(PREFIX.length()) : "";
            if (key.isEmpty() || INTERNAL.contains(key)) {
                continue;
            }
            String value = properties.getProperty(property);
            if (!FLAGS.contains(key)) {
                line.add("--" + option(key) + "=" + value);
            } else if (flag(value, key)) {
                line.add("--" + key);
            }
        }
        return line;
    }

    /** Maven's properties are often written in camel case. A broker's own keys, which have a dot, are as that broker writes them. */
    private static String option(String key) {
        return key.contains(".")
                ? key
                : key.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /** The brokers among the profiles; every profile must be one. Where none is named: the one of the plugin from outside. */
    static List<String> brokers(String argument, List<String> known, Optional<String> outside) {
        String list = argument.startsWith(PROFILES) ? argument.substring(PROFILES.length()) : argument;
        List<String> named = new ArrayList<>();
        for (String profile : list.replaceAll("[\\[\\]\\s]", "").split(",")) {
            if (profile.isEmpty()) {
                continue;
            }
            if (profile.equals(MEASURES)) {
                throw new UserException(
                        "the profile 'perf' measures, it brings no stack up: mvn -P perf verify; leave it"
                                + " out of mvn deploy");
            }
            if (!known.contains(profile)) {
                throw new UserException("there is no broker '" + profile + "'"
                        + Suggestion.nearest(profile, known)
                                .map(near -> "; did you mean -P " + near + "?")
                                .orElse("")
                        + "; there are: " + String.join(", ", known));
            }
            named.add(profile);
        }
        if (named.isEmpty() && outside.isPresent()) {
            return List.of(outside.get());
        }
        if (named.isEmpty()) {
            throw new UserException("say which broker to bring up: mvn -P BROKER deploy; there are: "
                    + String.join(", ", known) + ". (To build and test only: mvn verify)");
        }
        return named;
    }

    /** What {@code -Dmillrace.<option>=} asks for. */
    record Asked(Options options, Optional<Path> runDir, StackLauncher.Manner manner) {}

    static Asked asked(Properties properties) {
        TreeSet<String> known = new TreeSet<>(List.of(SETTINGS, RUN_DIR, DRY_RUN, DROP_STATE));
        StackSettings.keys().stream().map(StackSettings.Key::name).forEach(known::add);
        // Each profile says it for its own broker.
        known.remove("broker");
        Map<String, String> given = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (String property : new TreeSet<>(properties.stringPropertyNames())) {
            String key = property.startsWith(PREFIX) ? property.substring(PREFIX.length()) : "";
            if (key.isEmpty() || INTERNAL.contains(key)) {
                continue;
            }
            if (known.contains(key) || StackSettings.isPassedOn(key)) {
                given.put(key, properties.getProperty(property));
            } else {
                problems.add("there is no property '" + property + "'"
                        + Suggestion.nearest(key, known)
                                .map(near -> "; did you mean '" + PREFIX + near + "'?")
                                .orElse("; known are " + PREFIX + String.join(", " + PREFIX, known)));
            }
        }
        if (!problems.isEmpty()) {
            throw new UserException(String.join("; ", problems));
        }
        Optional<Path> runDir = Optional.ofNullable(given.remove(RUN_DIR)).map(Path::of);
        StackLauncher.Manner manner = new StackLauncher.Manner(
                flag(given.remove(DRY_RUN), DRY_RUN), flag(given.remove(DROP_STATE), DROP_STATE));
        Map<String, String> options = new TreeMap<>();
        Optional.ofNullable(given.remove(SETTINGS))
                .ifPresent(file ->
                        options.putAll(StackLauncher.settingsFile(Path.of(file)).asMap()));
        options.putAll(given);
        return new Asked(Options.of(options), runDir, manner);
    }

    /** {@code -Dmillrace.dry-run} alone means yes, as with every property of Maven. */
    private static boolean flag(@Nullable String value, String name) {
        if (value != null && !List.of("", "true", "false").contains(value)) {
            throw new UserException(PREFIX + name + " is '" + value + "'; it must be true or false");
        }
        return value != null && !value.equals("false");
    }
}
