package dev.millrace.connectors.api.lint;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When a piece of advice is for a setting: always, for some of its values, or while another setting has a value. */
@FunctionalInterface
public interface AdviceCondition {

    /**
     * Whether it holds.
     *
     * @param value the setting's own
     * @param file the values of all settings of its file
     */
    boolean holds(String value, Map<String, String> file, KnownSettings known);

    /**
     * Reads {@code always}, {@code = VALUE}, {@code > NUMBER}, {@code < NUMBER} or {@code while KEY = VALUE}; the last also holds
     * when KEY is not set and VALUE is its default. What is no number is neither greater nor less than one.
     *
     * @throws IllegalArgumentException when it is none of them
     */
    static AdviceCondition parse(String text) {
        if (text.equals("always")) {
            return (value, file, known) -> true;
        }
        Matcher other = Pattern.compile("while (\\S+) = (\\S+)").matcher(text);
        if (other.matches()) {
            String key = other.group(1);
            String wanted = other.group(2);
            return (value, file, known) -> Optional.ofNullable(file.get(key))
                    .map(wanted::equals)
                    .orElseGet(() -> known.find(key)
                            .map(setting -> setting.values().isDefault(wanted))
                            .orElse(false));
        }
        Matcher own = Pattern.compile("([=<>]) (\\S+)").matcher(text);
        if (!own.matches()) {
            throw new IllegalArgumentException("no condition: " + text);
        }
        String wanted = own.group(2);
        if (own.group(1).equals("=")) {
            return (value, file, known) -> value.equalsIgnoreCase(wanted);
        }
        double bound = Double.parseDouble(wanted);
        return own.group(1).equals(">")
                ? (value, file, known) -> number(value) > bound
                : (value, file, known) -> number(value) < bound;
    }

    private static double number(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
