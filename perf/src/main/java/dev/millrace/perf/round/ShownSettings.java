package dev.millrace.perf.round;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What of a benchmark's settings stands in results, which people hand around. */
public final class ShownSettings {
    /** As clients of brokers and stores name what must not be told. */
    private static final Pattern SECRET = Pattern.compile(
            "(broker|store)\\..*(pass(word|phrase)|secret|token|jaas|credential|auth|private|\\.key$).*",
            Pattern.CASE_INSENSITIVE);

    private static final String HIDDEN = "(set)";

    private ShownSettings() {}

    /** The same, sorted, where a value that may be a password is only said to be set. */
    public static Map<String, String> of(Map<String, String> settings) {
        Map<String, String> shown = new TreeMap<>(settings);
        shown.replaceAll((key, value) -> SECRET.matcher(key).matches() ? HIDDEN : value);
        return shown;
    }
}
