package dev.millrace.perf.run.stage;

import dev.millrace.deploy.local.StackState;
import dev.millrace.perf.probe.MemoryBudget;
import dev.millrace.perf.probe.ProcessUse;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Those of this machine, by their pids.
 *
 * @param budget the control group that they are in, if there is one
 */
public record LocalProcesses(Optional<MemoryBudget> budget) implements Processes {
    @Override
    public Map<String, ProcessUse> uses(StackState state) {
        return ProcessUse.of(Mark.pids(state));
    }

    @Override
    public long restarts(StackState state) {
        return state.parts().values().stream()
                .mapToLong(StackState.Part::restarts)
                .sum();
    }

    @Override
    public boolean seeMachine() {
        return true;
    }

    @Override
    public OptionalLong memoryPeakBytes(StackState state) {
        return budget.map(MemoryBudget::peakBytes).orElse(OptionalLong.empty());
    }
}
