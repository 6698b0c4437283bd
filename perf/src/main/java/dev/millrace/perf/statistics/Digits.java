package dev.millrace.perf.statistics;

import java.util.Locale;

/** A figure for people. */
public final class Digits {
    private Digits() {}

    /** Three digits that say something, more only before the point; no digit that says nothing. */
    public static String of(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        // The digits are counted after rounding: 9.999 is 10, not 10.00.
        int decimals = Math.max(0, 2 - (int) Math.floor(Math.log10(size * 1.0005)));
        String text = String.format(Locale.ROOT, "%,." + Math.min(decimals, 9) + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }
}
