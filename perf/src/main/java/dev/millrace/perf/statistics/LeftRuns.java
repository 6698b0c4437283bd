package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * Which runs of one subject a comparison rests on.
 *
 * @param name whose they are, in sentences
 */
record LeftRuns(String name, long all, long valid, long capped) {
    static LeftRuns of(List<Run> runs, String subject) {
        return of(runs, subject, subject);
    }

    static LeftRuns of(List<Run> runs, String subject, String name) {
        List<Run> own =
                runs.stream().filter(run -> run.subject().equals(subject)).toList();
        List<Run> valid = own.stream().filter(Run::isValid).toList();
        return new LeftRuns(
                name,
                own.size(),
                valid.size(),
                valid.stream().filter(Ceiling::of).count());
    }

    private long invalid() {
        return all - valid;
    }

    /**
     * What a verdict on two must add of the runs that it does not rest on; empty when there are as many of both. What overloads a run makes
     * it INVALID: the worse a subject is, the fewer of its bad runs are in its figures.
     */
    static String lost(LeftRuns a, LeftRuns b) {
        // Of shares, without a division by a subject that has no run.
        long more = a.invalid() * b.all - b.invalid() * a.all;
        if (more == 0) {
            return "";
        }
        LeftRuns most = more > 0 ? a : b;
        LeftRuns other = more > 0 ? b : a;
        return "; " + most.invalid() + " of " + most.name + "'s " + runs(most.all)
                + (other.invalid() == 0 ? "" : " and " + other.invalid() + " of " + other.name + "'s " + other.all)
                + (most.invalid() + other.invalid() == 1 ? " is" : " are") + " INVALID"
                + (most.valid == 0 ? "" : ", and those that are left may be " + most.name + "'s lucky ones");
    }

    /** In which runs a search may have found too little, as a clause; empty when in none. */
    static String capped(LeftRuns a, LeftRuns b) {
        List<String> said = new ArrayList<>();
        for (LeftRuns one : List.of(a, b)) {
            if (one.capped > 0) {
                said.add(one.capped + " of " + one.name + "'s " + one.valid);
            }
        }
        return said.isEmpty()
                ? ""
                : "the search kept the greatest rate that it tried in " + String.join(" and ", said)
                        + " VALID runs, where the capacity is that or more";
    }

    private static String runs(long number) {
        return number + (number == 1 ? " run" : " runs");
    }
}
