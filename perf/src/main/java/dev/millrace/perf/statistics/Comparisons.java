package dev.millrace.perf.statistics;

import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Comparison.Verdict;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.List;

/** What is said of the subjects of a benchmark, from its runs. */
public final class Comparisons {
    private Comparisons() {}

    /**
     * Holds every subject but the floor against the first one that is not the floor, in each figure that VALID runs of both have;
     * in the one that decides also without. By subject, in the order given, then by figure as declared.
     *
     * <p>Where the floor has a VALID run, a subject that is near to it is harness-limited, and the deciding sentence says so. It says
     * also which runs it does not rest on, where one subject lost a greater share of them to INVALID than the other.
     *
     * <p>A capacity that was found only in part, as the search kept the greatest rate that it tried, has the verdicts that more would
     * not change.
     *
     * <p>Each interval has a chance of one in twenty to show a difference that is not there, so of many figures some will: only the one
     * that was named before is the benchmark's verdict.
     *
     * @param decides the figure whose comparison is the verdict
     * @param withheld why no verdict is given, and only figures and intervals, as a clause that follows "because"; empty when one may
     *     be given
     * @param seed of the bootstrap
     * @return immutable; empty with fewer than two subjects that are not the floor
     * @throws IllegalArgumentException when a block has two VALID runs of one subject
     */
    public static List<Comparison> of(
            List<Run> runs, List<Subject> subjects, Figure decides, String withheld, long seed) {
        List<String> names =
                subjects.stream().filter(one -> !one.floor()).map(Subject::name).toList();
        Floor floor = Floor.of(runs, subjects, decides);
        List<Comparison> comparisons = new ArrayList<>();
        for (String b : names.stream().skip(1).toList()) {
            String a = names.get(0);
            Capped capped = new Capped(LeftRuns.of(runs, a), LeftRuns.of(runs, b));
            for (Figure figure : Figure.values()) {
                if (figure == decides || has(runs, a, figure) && has(runs, b, figure)) {
                    Pairs pairs = Pairs.of(runs, a, b, figure);
                    comparisons.add(comparison(a, b, figure, figure == decides, pairs, floor, capped, withheld, seed));
                }
            }
        }
        return List.copyOf(comparisons);
    }

    private static boolean has(List<Run> runs, String subject, Figure figure) {
        return runs.stream()
                .anyMatch(run -> run.isValid()
                        && run.subject().equals(subject)
                        && run.figures().containsKey(figure));
    }

    private static Comparison comparison(
            String a,
            String b,
            Figure figure,
            boolean decides,
            Pairs pairs,
            Floor floor,
            Capped capped,
            String withheld,
            long seed) {
        PairedInterval interval = PairedInterval.of(pairs.a(), pairs.b(), seed);
        double medianA = pairs.medianA();
        double medianB = pairs.medianB();
        List<String> limited = new ArrayList<>();
        if (floor.limits(figure, medianA)) {
            limited.add(a);
        }
        if (floor.limits(figure, medianB)) {
            limited.add(b);
        }
        Verdict seen = verdict(figure, interval);
        Verdict left = capped.left(figure, seen);
        String clause = capped.clause(figure);
        String why = withheld.isEmpty() && left != seen ? clause : withheld;
        String sentence = new Sentence(figure, a, b, medianA, medianB, interval).text(why)
                + (clause.isEmpty() || why.equals(clause) ? "" : "; " + clause);
        return new Comparison(
                figure,
                decides,
                a,
                b,
                pairs.size(),
                medianA,
                medianB,
                interval.ratio(),
                interval.low(),
                interval.high(),
                interval.effectSize(),
                interval.detectable(),
                floor.of(figure),
                List.copyOf(limited),
                withheld.isEmpty() ? left : Verdict.NONE,
                decides ? sentence + floor.sentence(figure, limited) + capped.lost() : sentence);
    }

    private static Verdict verdict(Figure figure, PairedInterval interval) {
        if (!interval.isKnown()) {
            return Verdict.NONE;
        }
        if (!interval.excludesOne()) {
            return Verdict.NO_DIFFERENCE;
        }
        boolean higherIsBetter = figure.better() == Figure.Better.HIGHER;
        return interval.ratio() > 1 == higherIsBetter ? Verdict.B_BETTER : Verdict.A_BETTER;
    }
}
