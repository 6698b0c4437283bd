package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Figure;

/** A comparison for people. */
record Sentence(Figure figure, String a, String b, double medianA, double medianB, PairedInterval interval) {

    /** @param withheld see {@link Comparisons#of} */
    String text(String withheld) {
        return figure.title() + ": " + finding(withheld);
    }

    private String finding(String withheld) {
        if (interval.pairs() == 0) {
            return "no block has valid runs of both " + a + " and " + b + " with this figure";
        }
        if (interval.pairs() < PairedInterval.LEAST_PAIRS) {
            return medians() + ": figures only, a verdict takes " + PairedInterval.LEAST_PAIRS + " pairs"
                    + (withheld.isEmpty() ? "" : "; with so many none would be given either, because " + withheld);
        }
        if (!interval.isKnown()) {
            return medians() + ": figures only, values that are not all above zero have no ratio";
        }
        if (!withheld.isEmpty()) {
            return medians() + ", "
                    + (isEqual() ? "the same in every pair" : Difference.of(interval) + " with " + b + bounds())
                    + "; no verdict is given, because " + withheld;
        }
        if (isEqual()) {
            return "the same with " + a + " and " + b + " in each of " + interval.pairs() + " pairs";
        }
        if (interval.excludesOne()) {
            return Difference.of(interval) + " with " + b + Difference.conjunction(interval) + "with " + a + bounds()
                    + "; " + better() + " is better";
        }
        return "no difference could be seen between " + a + " and " + b + ": " + Difference.of(interval) + " with " + b
                + bounds() + "; so many pairs of this spread show a difference of "
                + Difference.size(interval.detectable()) + " four times in five";
    }

    private boolean isEqual() {
        return interval.isPoint() && !interval.excludesOne();
    }

    private String better() {
        return interval.ratio() > 1 == (figure.better() == Figure.Better.HIGHER) ? b : a;
    }

    private String medians() {
        String of = interval.pairs() == 1 ? "one pair" : "medians of " + interval.pairs() + " pairs";
        return a + " " + measure(medianA) + ", " + b + " " + measure(medianB) + " (" + of + ")";
    }

    private String bounds() {
        return interval.isPoint()
                ? " in each of " + interval.pairs() + " pairs"
                : " (95 % interval " + Difference.bounds(interval) + ", " + interval.pairs() + " pairs)";
    }

    private String measure(double value) {
        return measure(figure, value);
    }

    static String measure(Figure figure, double value) {
        return Double.isFinite(value) ? Digits.of(value) + " " + figure.unit() : "unknown";
    }
}
