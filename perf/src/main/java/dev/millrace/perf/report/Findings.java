package dev.millrace.perf.report;

import dev.millrace.perf.result.BenchmarkResult;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Saturation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The sentences of a result, the same in every form of the report. */
final class Findings {
    private final BenchmarkResult result;

    Findings(BenchmarkResult result) {
        this.result = result;
    }

    String title() {
        String compared = result.subjects().stream()
                .filter(subject -> !subject.floor())
                .map(Subject::name)
                .collect(Collectors.joining(" against "));
        // Of the floor alone nothing is compared.
        return "Benchmark " + result.scenario() + (compared.isEmpty() ? "" : ": " + compared);
    }

    /** Who, when, how often. */
    String when() {
        String subjects = result.subjects().stream().map(Findings::named).collect(Collectors.joining(", "));
        return subjects + ". " + counted(result.runs().size(), "run") + ", " + moment(result.started()) + " to "
                + moment(result.ended()) + ".";
    }

    private static String named(Subject subject) {
        String version = subject.version().isEmpty() ? "" : " " + subject.version();
        String broker = subject.name().equals(subject.broker()) ? "" : " (" + subject.broker() + version + ")";
        return subject.name() + (broker.isEmpty() ? version : broker) + (subject.floor() ? ", the rig's floor" : "");
    }

    /** ISO 8601 without what people need not read: no T, no parts of a second. */
    private static String moment(String iso) {
        return iso.isEmpty()
                ? "an unknown time"
                : iso.replaceFirst("^(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d:\\d\\d)(:\\d\\d)?(\\.\\d+)?Z$", "$1 $2 UTC");
    }

    static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** What the deciding figure says; never empty. */
    List<String> verdicts() {
        List<String> verdicts = result.comparisons().stream()
                .filter(Comparison::decides)
                .map(Comparison::sentence)
                .toList();
        return verdicts.isEmpty() ? List.of("There is no verdict: nothing was compared.") : verdicts;
    }

    /** What a reader must know besides the verdict: that it was interrupted, that runs are INVALID, that the machine was full. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (result.interrupted()) {
            warnings.add("INTERRUPTED: a person ended this benchmark; what follows is what was measured until then.");
        }
        int left = result.order().size() - result.runs().size();
        if (left > 0) {
            warnings.add("NOT WHOLE: " + counted(left, "run") + " of "
                    + result.order().size() + (left == 1 ? " was" : " were") + " not made.");
        }
        int all = result.runs().size();
        int invalid = all - valid().size();
        if (all == 0) {
            warnings.add("There is no run.");
        } else if (invalid == all) {
            warnings.add("INVALID: no run is VALID, so nothing is drawn and nothing is compared.");
        } else if (invalid > 0) {
            warnings.add(counted(invalid, "run") + " of " + all + (invalid == 1 ? " is" : " are")
                    + " INVALID: listed with the reasons, in no chart and in no figure of a comparison.");
        }
        long saturated = valid().stream().filter(Saturation::of).count();
        if (saturated > 0) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "In %d of %s the processors were idle for less than %.0f %% of the measured time: what one process takes"
                            + " more others lack, so a difference in CPU seconds shows smaller than it is, or not at all."
                            + " A lower rate or more cores would show it.",
                    saturated,
                    counted(valid().size(), "VALID run"),
                    Saturation.LEAST_IDLE_SHARE * 100));
        }
        return warnings;
    }

    /** Subjects in the order of the runs that were made. */
    List<String> order() {
        return result.runs().stream().map(Run::subject).toList();
    }

    /** The only runs that may be drawn. */
    List<Run> valid() {
        return result.runs().stream().filter(Run::isValid).toList();
    }

    List<Run> valid(String subject) {
        return valid().stream().filter(run -> run.subject().equals(subject)).toList();
    }

    List<String> subjects() {
        return result.subjects().stream().map(Subject::name).toList();
    }

    BenchmarkResult result() {
        return result;
    }
}
