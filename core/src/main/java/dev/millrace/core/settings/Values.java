package dev.millrace.core.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How durations and sizes are written; the same on the command line, in files and in messages. */
public final class Values {
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");
    private static final Pattern BYTES = Pattern.compile("(\\d+)(B|KiB|MiB|GiB|TiB)?");

    private Values() {}

    /** Parses {@code 300ms}, {@code 10s}, {@code 5m}, {@code 24h}, {@code 7d}; throws {@link IllegalArgumentException}. */
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration such as 300ms, 10s, 5m, 24h or 7d");
        }
        long unitMillis =
                switch (matcher.group(2)) {
                    case "ms" -> 1;
                    case "s" -> 1_000;
                    case "m" -> 60_000;
                    case "h" -> 3_600_000;
                    default -> 86_400_000;
                };
        return Duration.ofMillis(product(matcher.group(1), unitMillis, text));
    }

    /** What does not fit a {@code long} is wrong input as well. */
    private static long product(String amount, long unit, String text) {
        try {
            return Math.multiplyExact(Long.parseLong(amount), unit);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is too large", e);
        }
    }

    /** Writes a duration so that {@link #duration} reads it back. */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    /** Parses {@code 512}, {@code 64KiB}, {@code 1GiB} into bytes; throws {@link IllegalArgumentException}. */
    public static long bytes(String text) {
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size such as 64KiB, 512MiB or 1GiB");
        }
        String unit = matcher.group(2) == null ? "B" : matcher.group(2);
        int shift = 10 * java.util.List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(unit);
        return product(matcher.group(1), 1L << shift, text);
    }

    /** Writes a size for people, with one decimal in the greatest unit that fits. */
    public static String text(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double size = bytes;
        int unit = 0;
        while (size >= 1024 && unit < units.length - 1) {
            size /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(java.util.Locale.ROOT, "%.1f %s", size, units[unit]);
    }
}
