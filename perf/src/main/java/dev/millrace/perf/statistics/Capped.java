package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.statistics.Change.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What can be said of the capacity of one subject in two results, when the search of some runs kept the greatest rate that it tried:
 * they may be better than they show, and the difference may be one of the rates that were tried.
 *
 * @see Ceiling
 */
record Capped(LeftRuns a, LeftRuns b) {
    /** Those that such a rate bounds; the others are of what happened at it. */
    private static final Set<Figure> OF_CAPACITY = EnumSet.of(Figure.ACCEPTED_RATE, Figure.PROCESSED_RATE, Figure.COST);

    static Capped of(List<Run> runsA, String a, List<Run> runsB, String b) {
        return new Capped(LeftRuns.of(runsA, a, "A"), LeftRuns.of(runsB, b, "B"));
    }

    /** The verdict, or none where runs that are better than they show could make another one. */
    Verdict left(Figure figure, Verdict verdict) {
        boolean stands = !OF_CAPACITY.contains(figure)
                || switch (verdict) {
                    case WORSE -> b.capped() == 0;
                    case BETTER -> a.capped() == 0;
                    case NO_DIFFERENCE -> a.capped() + b.capped() == 0;
                    case NONE -> true;
                };
        return stands ? verdict : Verdict.NONE;
    }

    /** Which runs these are, as a clause; empty when the figure is of none. */
    String clause(Figure figure) {
        return OF_CAPACITY.contains(figure) ? LeftRuns.capped(a, b) : "";
    }
}
