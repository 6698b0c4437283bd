package dev.millrace.perf.run.exercise;

import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.run.stage.Processes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Whether a process, or the job in processes that went on, started again. In every run, and from before the warm-up: the job's
 * counter then begins anew, and what is computed from it (rate, lag) is wrong for all that follows.
 */
final class RestartWatch implements Exercise {
    private final RunDirectory directory;
    private final Processes processes;
    private final JobFailures failures;
    private long processesBefore;
    private OptionalDouble jobBefore = OptionalDouble.empty();
    private long ofProcesses;
    private double ofJob = Double.NaN;
    private String why = "";

    RestartWatch(RunDirectory directory, Processes processes) {
        this.directory = directory;
        this.processes = processes;
        this.failures = new JobFailures(directory);
    }

    @Override
    public void warmUpBegins() {
        processesBefore = processes.restarts(directory.presentState());
        jobBefore = failures.count();
    }

    @Override
    public void measureEnded(Mark to) {
        ofProcesses = processes.restarts(directory.presentState()) - processesBefore;
        OptionalDouble jobAfter = failures.count();
        ofJob = jobBefore.isPresent() && jobAfter.isPresent()
                ? jobAfter.getAsDouble() - jobBefore.getAsDouble()
                : Double.NaN;
        why = ofJob > 0 ? failures.newest() : "";
    }

    @Override
    public Found found() {
        return found(ofProcesses, ofJob, why);
    }

    /**
     * Why what was measured does not count when processes were started again meanwhile.
     *
     * @param when begins the sentence, as {@code "in the drain "}; empty for the measured phase
     */
    static List<String> reasons(String when, long ofProcesses) {
        return ofProcesses > 0
                ? List.of(when + "the supervisor had to start a process again (" + ofProcesses + " times)")
                : List.of();
    }

    /**
     * @param ofProcesses how many a supervisor started again
     * @param ofJob how often the job went on from a checkpoint; NaN when it is not known
     * @param why it last did; empty when nobody knows
     */
    static Found found(long ofProcesses, double ofJob, String why) {
        List<String> reasons = new ArrayList<>(reasons("", ofProcesses));
        if (reasons.isEmpty() && Double.isNaN(ofJob)) {
            reasons.add(
                    "whether the job started again from a checkpoint is not known: the JobManager's metrics could not be"
                            + " read");
        }
        if (ofJob > 0) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the job started again from a checkpoint %.0f times, so its rate and lag are not known: %s",
                    ofJob,
                    why.isEmpty() ? "the cause is not known" : why));
        }
        Map<String, Double> evidence = new LinkedHashMap<>();
        evidence.put("restarts", (double) ofProcesses);
        evidence.put("jobRestarts", ofJob);
        return new Found(Map.of(), evidence, reasons, List.of());
    }
}
