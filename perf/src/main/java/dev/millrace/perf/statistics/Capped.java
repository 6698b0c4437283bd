package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What can be said of two capacities, of two subjects or of one in two results, when the search of some runs kept the greatest rate
 * that it tried: they may be better than they show, and the difference may be one of the rates that were tried.
 *
 * @see Ceiling
 */
record Capped(LeftRuns a, LeftRuns b) {
    /** Those that such a rate bounds; the others are of what happened at it. */
    private static final Set<Figure> OF_CAPACITY = EnumSet.of(Figure.ACCEPTED_RATE, Figure.PROCESSED_RATE, Figure.COST);

    static Capped of(List<Run> runsA, String a, List<Run> runsB, String b) {
        return new Capped(LeftRuns.of(runsA, a, "A"), LeftRuns.of(runsB, b, "B"));
    }

    static boolean bounds(Figure figure) {
        return OF_CAPACITY.contains(figure);
    }

    /** The verdict, or none where runs that are better than they show could make another one. */
    Change.Verdict left(Figure figure, Change.Verdict verdict) {
        boolean unsettled = isUnsettled(figure, verdict == Change.Verdict.WORSE, verdict == Change.Verdict.BETTER);
        return unsettled ? Change.Verdict.NONE : verdict;
    }

    /** The same between subjects. */
    Comparison.Verdict left(Figure figure, Comparison.Verdict verdict) {
        boolean unsettled =
                isUnsettled(figure, verdict == Comparison.Verdict.A_BETTER, verdict == Comparison.Verdict.B_BETTER);
        return unsettled ? Comparison.Verdict.NONE : verdict;
    }

    private boolean isUnsettled(Figure figure, boolean isBetterA, boolean isBetterB) {
        return bounds(figure) && (!isBetterA && a.capped() > 0 || !isBetterB && b.capped() > 0);
    }

    /** See {@link LeftRuns#lost}. */
    String lost() {
        return LeftRuns.lost(a, b);
    }

    /** Which runs these are, as a clause; empty when the figure is of none. */
    String clause(Figure figure) {
        return bounds(figure) ? LeftRuns.capped(a, b) : "";
    }
}
