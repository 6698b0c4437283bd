package dev.millrace.perf.run.exercise;

import dev.millrace.perf.probe.Disturbance;
import dev.millrace.perf.run.stage.Mark;
import dev.millrace.perf.scenario.Scenario;
import java.util.List;

/** Whether the machine was the stack's own while something was measured: otherwise a figure is of the machine's neighbours. */
public final class MachineGate {
    private MachineGate() {}

    /** Of what was measured between two moments. */
    public static List<String> reasons(Mark from, Mark to, Scenario.Checks checks) {
        return reasons("", Disturbance.of(to.machine().since(from.machine())), checks);
    }

    /**
     * Why what was measured does not count, a sentence each; empty when it does.
     *
     * @param when begins the sentences, as {@code "in the drain "}; empty for the measured phase
     */
    public static List<String> reasons(String when, Disturbance disturbance, Scenario.Checks checks) {
        return disturbance.sentences(when, checks.stealShare(), checks.neighbourShare());
    }
}
