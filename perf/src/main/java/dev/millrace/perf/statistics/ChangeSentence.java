package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Figure;
import java.util.Locale;

/**
 * A change for people: A is the first result, B the second.
 *
 * @param capped as {@link Capped#clause} has it
 */
record ChangeSentence(
        Figure figure,
        String a,
        String b,
        double medianA,
        double medianB,
        UnpairedInterval interval,
        Change.Verdict verdict,
        String capped) {

    /** @param comparable see {@link Changes#of} */
    String text(boolean comparable) {
        return (a.equals(b) ? a : a + " and " + b) + ", " + figure.title() + ": " + finding(comparable);
    }

    private String finding(boolean comparable) {
        if (interval.runsA() == 0 || interval.runsB() == 0) {
            return "no verdict, as no VALID run of " + without() + " has this figure";
        }
        if (Math.min(interval.runsA(), interval.runsB()) < UnpairedInterval.LEAST_RUNS) {
            return medians() + ": figures only, a verdict takes " + UnpairedInterval.LEAST_RUNS + " VALID runs in each";
        }
        if (!interval.isKnown()) {
            return medians() + ": figures only, values that are not all above zero have no ratio";
        }
        if (isEqual()) {
            return "the same in all runs of A and B (" + runs() + ")" + (comparable ? withheld() : "");
        }
        String seen = Difference.of(interval) + " in B";
        if (!comparable) {
            return seen + bounds() + "; no verdict, as what must be alike differs";
        }
        String known = seen + Difference.conjunction(interval) + "in A" + bounds();
        return switch (verdict) {
            case WORSE -> known + "; B is worse" + (capped.isEmpty() ? "" : "; " + capped);
            case BETTER -> known + "; B is better" + (capped.isEmpty() ? "" : "; " + capped);
            case NONE -> seen + bounds() + withheld();
            case NO_DIFFERENCE ->
                "no difference could be seen: " + seen + bounds()
                        + "; so many runs of this spread show a difference of "
                        + Difference.size(interval.detectable()) + " four times in five";
        };
    }

    private String withheld() {
        return verdict == Change.Verdict.NONE ? "; no verdict, as " + capped : "";
    }

    private String without() {
        return interval.runsA() > 0 ? "B" : interval.runsB() > 0 ? "A" : "A and of B";
    }

    private boolean isEqual() {
        return interval.isPoint() && !interval.excludesOne();
    }

    private String medians() {
        return "A " + measure(medianA) + ", B " + measure(medianB) + " (medians of " + runs() + ")";
    }

    private String bounds() {
        return interval.isPoint()
                ? " (no spread in either, " + runs() + ")"
                : " (95 % interval " + Difference.bounds(interval) + ", " + runs() + ")";
    }

    private String runs() {
        return String.format(Locale.ROOT, "%d and %d runs", interval.runsA(), interval.runsB());
    }

    private String measure(double value) {
        return Sentence.measure(figure, value);
    }
}
