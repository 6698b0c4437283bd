package dev.millrace.perf.run.exercise;

import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.scenario.Scenario;
import java.util.List;

/** Whether the machine was the stack's own while something was measured: otherwise a figure is of the machine's neighbours. */
public final class MachineGate {
    private MachineGate() {}

    /** As {@link #reasons(String, double, double, Scenario.Checks)}, of what was measured between two moments. */
    public static List<String> reasons(Mark from, Mark to, Scenario.Checks checks) {
        MachineUse machine = to.machine().since(from.machine());
        return reasons("", machine.stolenShare(), machine.swappedPages(), checks);
    }

    /**
     * Why what was measured does not count, a sentence each; empty when it does.
     *
     * @param when begins the sentences, as {@code "in the drain "}; empty for the measured phase
     * @param stolenShare of the processors' time, 0 to 1
     */
    public static List<String> reasons(String when, double stolenShare, double swappedPages, Scenario.Checks checks) {
        return Disturbance.sentences(when, stolenShare, swappedPages, checks.stealShare());
    }
}
