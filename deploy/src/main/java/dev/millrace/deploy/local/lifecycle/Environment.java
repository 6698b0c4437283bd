package dev.millrace.deploy.local.lifecycle;

import dev.millrace.core.settings.UserException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ${env:NAME}} in the values of settings: so that a file, or a command line, can be shared and its passwords are not in it. */
public final class Environment {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

    private Environment() {}

    /** The values with every reference replaced; all variables that are missing are in one UserException. */
    public static Map<String, String> resolved(
            String what, Map<String, String> values, Map<String, String> environment) {
        TreeSet<String> missing = new TreeSet<>();
        Map<String, String> resolved = new TreeMap<>();
        values.forEach(
                (key, value) -> resolved.put(key, REFERENCE.matcher(value).replaceAll(reference -> {
                    String name = reference.group(1);
                    if (!environment.containsKey(name)) {
                        missing.add(name);
                    }
                    return Matcher.quoteReplacement(environment.getOrDefault(name, ""));
                })));
        if (!missing.isEmpty()) {
            throw new UserException(
                    what + " refers to environment variables that are not set: " + String.join(", ", missing));
        }
        return resolved;
    }
}
