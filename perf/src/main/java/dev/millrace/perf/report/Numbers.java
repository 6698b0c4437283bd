package dev.millrace.perf.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers for people: three figures that count, the same in every language. */
final class Numbers {
    /** Where nothing is known. */
    static final String NONE = "–";

    /** Of a smaller one two places show no digit that counts. */
    private static final double LEAST_OF_TWO_PLACES = 0.01;

    private Numbers() {}

    /** With thousands separated; {@link #NONE} for null and NaN. */
    static String text(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        if (size == 0 || size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        if (size >= 1) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
        if (size >= 0.99) {
            // A share that is not whole must not look whole.
            return nearOne(value);
        }
        return size >= 0.001 ? String.format(Locale.ROOT, "%.3f", value) : String.format(Locale.ROOT, "%.1e", value);
    }

    /** With two places, or as many as tell a ratio near 1 from 1. */
    static String ratio(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double off = Math.abs(value - 1);
        if (Math.abs(value) < LEAST_OF_TWO_PLACES) {
            return text(value);
        }
        return off >= 0.01 ? String.format(Locale.ROOT, off >= 0.1 ? "%.2f" : "%.3f", value) : nearOne(value);
    }

    /** With four places, or as many as tell it from 1. */
    private static String nearOne(double value) {
        double off = Math.abs(Math.abs(value) - 1);
        int places = off == 0 ? 4 : (int) Math.max(4, Math.min(12, Math.ceil(-Math.log10(off) - 1e-9)));
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }

    /** How far a ratio above 1 is above it, in per cent. */
    static String percentAbove(double ratio) {
        double percent = (ratio - 1) * 100;
        // One that is not 0 is not shown as that.
        String format = percent < 0.005 ? "%.3f %%" : percent < 1 ? "%.2f %%" : "%.1f %%";
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, format, percent) : NONE;
    }
}
