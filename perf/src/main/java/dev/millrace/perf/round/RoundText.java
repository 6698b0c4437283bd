package dev.millrace.perf.round;

import java.util.Locale;

/** Figures in the tables of a benchmark in rounds; NaN is one that is not known. */
public final class RoundText {
    private static final String UNKNOWN = "-";

    private RoundText() {}

    /** Without decimals, thousands apart. */
    public static String whole(double value) {
        return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%,.0f", value);
    }

    public static String decimal(double value, int places) {
        return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%." + places + "f", value);
    }
}
