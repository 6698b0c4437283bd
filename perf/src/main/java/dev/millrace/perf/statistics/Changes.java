package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.statistics.Change.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.commons.statistics.descriptive.Median;

/** What is said of one subject in two results, from its runs in each. */
public final class Changes {
    private Changes() {}

    /**
     * Holds VALID runs of {@code b} in the second result against those of {@code a} in the first: every figure that both have, and the
     * watched ones also without. As figures are declared.
     *
     * <p>Each interval has a chance of one in twenty to show a difference that is not there, one in forty to show a worse one: of many
     * figures some will. So only those that were named before are watched.
     *
     * <p>A capacity that was found only in part, as the search kept the greatest rate that it tried, has the verdicts that more would
     * not change.
     *
     * @param comparable whether machine, settings and scenario are alike; otherwise no verdict is given, and figures and intervals stay
     * @return immutable
     */
    public static List<Change> of(
            List<Run> runsA, String a, List<Run> runsB, String b, Set<Figure> watched, boolean comparable) {
        Capped capped = Capped.of(runsA, a, runsB, b);
        List<Change> changes = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            double[] ofA = values(runsA, a, figure);
            double[] ofB = values(runsB, b, figure);
            boolean both = ofA.length > 0 && ofB.length > 0;
            if (both || watched.contains(figure)) {
                changes.add(change(figure, watched.contains(figure), a, b, ofA, ofB, comparable, capped));
            }
        }
        return List.copyOf(changes);
    }

    private static double[] values(List<Run> runs, String subject, Figure figure) {
        return runs.stream()
                .filter(run -> run.isValid()
                        && run.subject().equals(subject)
                        && run.figures().containsKey(figure))
                .mapToDouble(run -> run.figures().get(figure))
                .toArray();
    }

    private static Change change(
            Figure figure,
            boolean watched,
            String a,
            String b,
            double[] ofA,
            double[] ofB,
            boolean comparable,
            Capped capped) {
        UnpairedInterval interval = UnpairedInterval.of(ofA, ofB);
        double medianA = Median.withDefaults().evaluate(ofA);
        double medianB = Median.withDefaults().evaluate(ofB);
        Verdict verdict = comparable ? capped.left(figure, verdict(figure, interval)) : Verdict.NONE;
        return new Change(
                figure,
                watched,
                a,
                b,
                ofA.length,
                ofB.length,
                medianA,
                medianB,
                interval.ratio(),
                interval.low(),
                interval.high(),
                interval.detectable(),
                verdict,
                new ChangeSentence(figure, a, b, medianA, medianB, interval, verdict, capped.clause(figure))
                        .text(comparable));
    }

    private static Verdict verdict(Figure figure, UnpairedInterval interval) {
        if (!interval.isKnown()) {
            return Verdict.NONE;
        }
        if (!interval.excludesOne()) {
            return Verdict.NO_DIFFERENCE;
        }
        return interval.ratio() > 1 == (figure.better() == Figure.Better.HIGHER) ? Verdict.BETTER : Verdict.WORSE;
    }
}
