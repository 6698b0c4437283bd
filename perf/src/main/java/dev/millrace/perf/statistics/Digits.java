package dev.millrace.perf.statistics;

import java.util.Locale;

/** A figure for people. */
public final class Digits {
    private static final int MOST_PLACES = 9;

    private Digits() {}

    /** Three digits that say something, more only before the point; no digit that says nothing. */
    public static String of(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        // The digits are counted after rounding: 9.999 is 10, not 10.00.
        int decimals = Math.max(0, 2 - (int) Math.floor(Math.log10(size * 1.0005)));
        String text = String.format(Locale.ROOT, "%,." + Math.min(decimals, MOST_PLACES) + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** With {@code places} after the point, or as many as tell it from {@code bound}: what is beyond a bound must not look like it. */
    public static String beyond(double value, double bound, int places) {
        int more = places;
        while (more < MOST_PLACES && fixed(value, more).equals(fixed(bound, more))) {
            more++;
        }
        return fixed(value, more);
    }

    private static String fixed(double value, int places) {
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }
}
