package dev.millrace.perf.change;

import dev.millrace.core.settings.UserException;
import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.run.StackMeasurement;
import dev.millrace.perf.statistics.Change;
import dev.millrace.perf.statistics.Changes;
import dev.millrace.perf.statistics.UnpairedInterval;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of a benchmark from one result, A, to another, B.
 *
 * @param schema {@link #SCHEMA}
 * @param comparable whether nothing differs that must be alike; otherwise there is no verdict
 * @param regression whether a watched figure of a subject became worse
 * @param verdict sentences, regressions first; one that says why there is none otherwise
 * @param notes sentences about what is not in the figures
 * @param doubts those of the notes by which "no difference" or "better" is not to be relied on
 * @param mustBeAlike what differs, and must not
 * @param changed what differs, and may
 * @param changes by subject, then by figure
 */
public record ResultChange(
        String schema,
        Side a,
        Side b,
        boolean comparable,
        boolean regression,
        List<String> verdict,
        List<String> notes,
        List<String> doubts,
        List<Unlike> mustBeAlike,
        List<Unlike> changed,
        List<Change> changes) {

    public static final String SCHEMA = "millrace-compare-1";

    private static final String TWO_TIMES =
            "A and B were measured at two times: what else changed on the machine in between"
                    + " is in every ratio, and in no interval";

    private static final String NO_BUDGET =
            "the memory budget was enforced in neither: what the page cache had is in every ratio";

    /**
     * One of the two results.
     *
     * @param started ISO 8601, UTC
     * @param validRuns of the subjects that are compared
     * @param invalidRuns of them, which are left out
     * @param unmadeRuns that were asked for, of whichever subject
     */
    public record Side(
            String id,
            String scenario,
            String started,
            boolean interrupted,
            long validRuns,
            long invalidRuns,
            int unmadeRuns) {}

    /**
     * Holds B against A.
     *
     * @param subjects as {@code --subject} has them; empty for all that both have
     * @param figures watched beside those that decide in A or B
     * @throws UserException when a subject is not there, or has no VALID run
     */
    public static ResultChange of(BenchmarkResult a, BenchmarkResult b, List<String> subjects, Set<Figure> figures) {
        List<String> notes = new ArrayList<>();
        List<String> doubts = new ArrayList<>();
        List<SubjectPair> pairs = pairs(a, b, subjects, notes, doubts);
        Likeness likeness = Likeness.of(a, b, pairs);
        boolean comparable = likeness.mustBeAlike().isEmpty();
        Set<Figure> watched = watched(a, b, figures);
        List<Change> changes = pairs.stream()
                .flatMap(pair -> Changes.of(
                        a.runs(), pair.a(), b.runs(), pair.b(), isFloor(a, b, pair) ? Set.of() : watched, comparable)
                        .stream())
                .toList();
        Side sideA = side(a, pairs.stream().map(SubjectPair::a).toList());
        Side sideB = side(b, pairs.stream().map(SubjectPair::b).toList());
        notes(sideA, "A", notes);
        notes(sideB, "B", notes);
        pairs.forEach(pair -> doubts.addAll(SubjectDoubts.of(a, b, pair, changes)));
        notes.addAll(doubts);
        notes.add(TWO_TIMES);
        if (!StackMeasurement.budgetWasEnforced(a.runs()) && !StackMeasurement.budgetWasEnforced(b.runs())) {
            notes.add(NO_BUDGET);
        }
        if (!likeness.machine().isEmpty()) {
            notes.add("the machine by itself was not the same: "
                    + likeness.machine().stream()
                            .map(one -> one.name() + ", " + one.a() + " in A, " + one.b() + " in B")
                            .collect(Collectors.joining("; "))
                    + "; a ratio may be the machine's");
        }
        return new ResultChange(
                SCHEMA,
                sideA,
                sideB,
                comparable,
                changes.stream().anyMatch(Change::isRegression),
                comparable ? verdict(watched, changes) : List.of(unlike(likeness)),
                List.copyOf(notes),
                List.copyOf(doubts),
                likeness.mustBeAlike(),
                Stream.concat(likeness.machine().stream(), likeness.changed().stream())
                        .toList(),
                changes);
    }

    /**
     * What is watched and has no verdict, or one that is in doubt: a sentence each, or the one why there is no verdict at all. A figure
     * that only decides, and was measured in neither of the two, is none of it, where others were judged.
     *
     * @param named figures that a person asked for: one that was measured nowhere did not stay as it was
     */
    public List<String> unjudged(Set<Figure> named) {
        if (!comparable) {
            return verdict;
        }
        List<Change> watched = changes.stream().filter(Change::watched).toList();
        List<Change> without = watched.stream()
                .filter(change -> change.verdict() == Change.Verdict.NONE)
                .toList();
        boolean isAnyJudged = without.size() < watched.size();
        return Stream.concat(
                        without.stream()
                                .filter(change -> !isAnyJudged
                                        || named.contains(change.figure())
                                        || change.runsA() + change.runsB() > 0)
                                .map(Change::sentence),
                        doubts.stream())
                .toList();
    }

    /** Whether some figure can make the verdict. */
    public boolean isWatched() {
        return changes.stream().anyMatch(Change::watched);
    }

    private static List<SubjectPair> pairs(
            BenchmarkResult a, BenchmarkResult b, List<String> subjects, List<String> notes, List<String> doubts) {
        List<SubjectPair> pairs = subjects.isEmpty()
                ? SubjectPair.common(a, b)
                : subjects.stream()
                        .map(text -> SubjectPair.parse(text, a, b))
                        .distinct()
                        .toList();
        if (subjects.isEmpty()) {
            List<Subject> onlyA = alone(a, pairs.stream().map(SubjectPair::a).toList());
            if (onlyA.stream().allMatch(Subject::floor)) {
                left("A", onlyA).ifPresent(notes::add);
            } else {
                left("A", onlyA)
                        .map(left -> left + ", and whether that became worse is not known: name what is to be judged, "
                                + pairs.stream()
                                        .filter(pair -> !isFloor(a, b, pair))
                                        .map(pair -> "--subject " + pair.a())
                                        .collect(Collectors.joining(" ")))
                        .ifPresent(doubts::add);
            }
            left("B", alone(b, pairs.stream().map(SubjectPair::b).toList())).ifPresent(notes::add);
        }
        List<SubjectPair> compared = new ArrayList<>();
        for (SubjectPair pair : pairs) {
            String missing = missing("A", a, pair.a()) + missing("B", b, pair.b());
            if (missing.isEmpty()) {
                compared.add(pair);
            } else if (subjects.isEmpty() && isFloor(a, b, pair) && pairs.size() > 1) {
                notes.add(pair.name() + ", the floor, is left out:" + missing);
            } else {
                throw new UserException("'" + pair.name() + "' cannot be compared:" + missing
                        + "; it must have one in each result, and " + UnpairedInterval.LEAST_RUNS
                        + " for a verdict. Measure it again, or name the other subjects: --subject NAME");
            }
        }
        return compared;
    }

    private static List<Subject> alone(BenchmarkResult result, List<String> compared) {
        return result.subjects().stream()
                .filter(subject -> !compared.contains(subject.name()))
                .toList();
    }

    private static Optional<String> left(String side, List<Subject> alone) {
        return alone.isEmpty()
                ? Optional.empty()
                : Optional.of("only " + side + " has "
                        + alone.stream().map(Subject::name).collect(Collectors.joining(", ")));
    }

    /** Empty when there is a VALID run. */
    private static String missing(String side, BenchmarkResult result, String subject) {
        List<Run> runs = result.runs().stream()
                .filter(run -> run.subject().equals(subject))
                .toList();
        return runs.stream().anyMatch(Run::isValid)
                ? ""
                : " " + side + " has no VALID run of " + subject + " (" + runs.size() + " INVALID)";
    }

    private static boolean isFloor(BenchmarkResult a, BenchmarkResult b, SubjectPair pair) {
        return SubjectPair.subject(a, pair.a()).floor()
                || SubjectPair.subject(b, pair.b()).floor();
    }

    private static Set<Figure> watched(BenchmarkResult a, BenchmarkResult b, Set<Figure> figures) {
        Set<Figure> watched = EnumSet.noneOf(Figure.class);
        watched.addAll(figures);
        Stream.concat(a.comparisons().stream(), b.comparisons().stream())
                .filter(Comparison::decides)
                .map(Comparison::figure)
                .forEach(watched::add);
        return watched;
    }

    private static Side side(BenchmarkResult result, List<String> subjects) {
        List<Run> runs = result.runs().stream()
                .filter(run -> subjects.contains(run.subject()))
                .toList();
        long valid = runs.stream().filter(Run::isValid).count();
        return new Side(
                result.id(),
                result.scenario(),
                result.started(),
                result.interrupted(),
                valid,
                runs.size() - valid,
                Math.max(0, result.order().size() - result.runs().size()));
    }

    private static void notes(Side side, String name, List<String> notes) {
        if (side.invalidRuns() > 0) {
            notes.add(name + ": " + side.invalidRuns() + (side.invalidRuns() == 1 ? " run is" : " runs are")
                    + " INVALID and left out, " + side.validRuns() + (side.validRuns() == 1 ? " is" : " are")
                    + " compared");
        }
        if (side.interrupted() || side.unmadeRuns() > 0) {
            notes.add(name + (side.interrupted() ? " was interrupted" : " ended early")
                    + ": it has fewer runs than were asked for");
        }
    }

    private static List<String> verdict(Set<Figure> watched, List<Change> changes) {
        if (watched.isEmpty()) {
            return List.of(
                    "no verdict: neither result says which figure decides, as a benchmark of one subject compares"
                            + " nothing; name one: --figure KEY");
        }
        List<String> sentences = Stream.concat(
                        changes.stream().filter(Change::isRegression).map(change -> "regression: " + change.sentence()),
                        changes.stream()
                                .filter(change -> change.watched() && !change.isRegression())
                                .map(Change::sentence))
                .toList();
        return sentences.isEmpty() ? List.of("no verdict: the floor only shows what the rig itself takes") : sentences;
    }

    private static String unlike(Likeness likeness) {
        return "no verdict, figures only: A and B must be alike in "
                + likeness.mustBeAlike().stream().map(Unlike::name).collect(Collectors.joining(", "))
                + ", and are not";
    }
}
