package dev.millrace.perf.change;

import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Saturation;
import dev.millrace.perf.statistics.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Why what is said of a subject, that it became no worse, may be said of the wrong runs, or could not have been seen. */
final class SubjectDoubts {
    private static final List<Figure> CPU = List.of(
            Figure.CPU_BROKER,
            Figure.CPU_JOB,
            Figure.CPU_STORE,
            Figure.CPU_GENERATOR,
            Figure.CPU_TOTAL,
            Figure.FAN_OUT_CPU,
            Figure.FAN_OUT_COPIES_CPU);

    private SubjectDoubts() {}

    /** @param changes of all subjects */
    static List<String> of(BenchmarkResult a, BenchmarkResult b, SubjectPair pair, List<Change> changes) {
        List<String> doubts = new ArrayList<>();
        List<Change> watched = changes.stream()
                .filter(change -> change.watched()
                        && change.a().equals(pair.a())
                        && change.b().equals(pair.b()))
                .toList();
        List<Run> runsA = runs(a, pair.a());
        List<Run> runsB = runs(b, pair.b());
        long invalidA = runsA.stream().filter(run -> !run.isValid()).count();
        long invalidB = runsB.stream().filter(run -> !run.isValid()).count();
        // What overloads a run makes it INVALID: the worse B is, the fewer of its bad runs are in its figures.
        // Of the runs that were made: who made more of them to be surer has more that were disturbed.
        if (!watched.isEmpty() && invalidB * runsA.size() > invalidA * runsB.size()) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "%s: of B %d of %d runs are INVALID, of A %d of %d: those that are left may be B's lucky ones",
                    pair.name(),
                    invalidB,
                    runsB.size(),
                    invalidA,
                    runsA.size()));
        }
        long full = full(runsA) + full(runsB);
        if (full > 0 && watched.stream().anyMatch(SubjectDoubts::isUnseenCpu)) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "%s: in %d of %d VALID runs the processors were idle for less than %.0f %% of the measured time, where a"
                            + " difference in CPU seconds shows smaller than it is, or not at all",
                    pair.name(),
                    full,
                    runsA.size() - invalidA + runsB.size() - invalidB,
                    Saturation.LEAST_IDLE_SHARE * 100));
        }
        return doubts;
    }

    private static boolean isUnseenCpu(Change change) {
        return change.verdict() == Change.Verdict.NO_DIFFERENCE && CPU.contains(change.figure());
    }

    private static List<Run> runs(BenchmarkResult result, String subject) {
        return result.runs().stream()
                .filter(run -> run.subject().equals(subject))
                .toList();
    }

    private static long full(List<Run> runs) {
        return runs.stream().filter(Run::isValid).filter(Saturation::of).count();
    }
}
