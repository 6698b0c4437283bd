package dev.millrace.perf.statistics;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** A ratio in words: "23 % higher", "8 % lower", and from twice on "2.4 times as high". */
final class Difference {
    private static final double TIMES = 2;
    private static final int MOST_DECIMALS = 3;

    private Difference() {}

    /** The ratio itself, b seen from a. */
    static String of(RatioInterval interval) {
        if (interval.ratio() >= TIMES) {
            return Digits.of(interval.ratio()) + " times as high";
        }
        BigDecimal percent = decimal(percent(interval.ratio()), decimals(interval));
        if (percent.signum() == 0 && !interval.excludesOne()) {
            return "equally high";
        }
        return percent.abs().toPlainString() + " % " + (interval.ratio() < 1 ? "lower" : "higher");
    }

    /** Between the two sides: "higher than", but "as high as". */
    static String conjunction(RatioInterval interval) {
        return interval.ratio() >= TIMES ? " as " : " than ";
    }

    /** Both bounds, in the words of the ratio: of a ratio that is lower without doubt they say how much lower. */
    static String bounds(RatioInterval interval) {
        if (interval.ratio() >= TIMES) {
            return Digits.of(interval.low()) + " to " + Digits.of(interval.high()) + " times";
        }
        int decimals = decimals(interval);
        double low = percent(interval.low());
        double high = percent(interval.high());
        boolean lower = interval.high() < 1;
        return number(lower ? -high : low, decimals) + " to " + number(lower ? -low : high, decimals) + " %";
    }

    /** How far a ratio is above 1. */
    static String size(double ratio) {
        double percent = percent(ratio);
        int decimals = percent < 1 ? 2 : percent < 10 ? 1 : 0;
        while (decimals < MOST_DECIMALS && isZero(percent, decimals)) {
            decimals++;
        }
        return number(percent, decimals) + " %";
    }

    private static double percent(double ratio) {
        return (ratio - 1) * 100;
    }

    /** As the width of the interval allows; more when a bound would be rounded to the zero that it is not. */
    private static int decimals(RatioInterval interval) {
        double low = percent(interval.low());
        double high = percent(interval.high());
        int decimals = high - low >= 5 ? 0 : high - low >= 0.5 ? 1 : 2;
        while (decimals < MOST_DECIMALS && (isZero(low, decimals) || isZero(high, decimals))) {
            decimals++;
        }
        return decimals;
    }

    private static boolean isZero(double percent, int decimals) {
        return decimal(percent, decimals).signum() == 0;
    }

    private static String number(double percent, int decimals) {
        return decimal(percent, decimals).toPlainString();
    }

    /** A decimal knows no negative zero. */
    private static BigDecimal decimal(double percent, int decimals) {
        return BigDecimal.valueOf(percent).setScale(decimals, RoundingMode.HALF_UP);
    }
}
