package dev.millrace.perf.run.stage;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.ClockDistance;
import dev.millrace.perf.probe.ProcessUse;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** How the processes of a stack are looked at, by the names of their parts. Thread-safe. */
public interface Processes {
    /** This process, among the others. */
    String RIG = "rig";

    /** What each has used so far; of those that are there, and of this process. */
    Map<String, ProcessUse> uses(StackState state);

    /** How often a process was started again so far. */
    long restarts(StackState state);

    /** The most memory that the whole stack ever had, page cache included, bytes; empty when nothing bounds it. */
    OptionalLong memoryPeakBytes(StackState state);

    /** Whether the machine that they are on is seen whole from here, its network included. */
    boolean seeMachine();

    /** How far clocks of other machines are from this one's, a few looks at each; empty where all processes have one clock. */
    default List<ClockDistance> clocks() {
        return List.of();
    }
}
