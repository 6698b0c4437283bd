package dev.millrace.perf.run.stage;

import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.GeneratorClient;
import dev.millrace.perf.probe.MachineUse;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.probe.ProcessUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All counters of a stack at one moment; figures come from two of these.
 *
 * @param millis by the clock
 * @param nanos by {@link System#nanoTime}
 * @param accepted readings that the broker has acknowledged; empty when the generator did not answer
 * @param acceptedAtJob the same when the job was asked, as far as that can be told; of the lag alone
 * @param processed readings that the job has decoded since its start; empty likewise
 * @param early acknowledgements that came before their intended send time
 */
public record Mark(
        long millis,
        long nanos,
        OptionalDouble accepted,
        OptionalDouble acceptedAtJob,
        OptionalDouble processed,
        OptionalDouble early,
        Map<String, ProcessUse> processes,
        MachineUse machine) {

    private static final String DECODED = "_readingsDecoded";
    private static final String SENT = "millrace_generator_readings_sent_total";
    private static final String EARLY = "millrace_generator_send_early_total";

    public static Mark of(StackState state, MetricsPage metrics, Processes processes) {
        String generator = state.part(StackState.GENERATOR).metricsUrl();
        List<MetricsPage.Value> before = metrics.values(generator, List.of(SENT, EARLY));
        OptionalDouble early = MetricsPage.sum(before, EARLY);
        OptionalDouble processed =
                metrics.sum(state.part(StackState.TASK_MANAGER).metricsUrl(), DECODED);
        // Beside the clock, before and behind: an answer may take long, and what is between counter and clock is in a
        // rate.
        OptionalDouble accepted = metrics.sum(generator, SENT);
        long millis = System.currentTimeMillis();
        long nanos = System.nanoTime();
        Map<String, ProcessUse> uses = processes.uses(state);
        return new Mark(
                millis,
                nanos,
                accepted,
                mean(MetricsPage.sum(before, SENT), accepted),
                processed,
                early,
                uses,
                machine(state, processes));
    }

    /** Whether all of the stack runs here and was started with it; a broker or a store of a person's own was not. */
    public static boolean isStartedHere(StackState state) {
        return state.part(StackState.BROKER).pid() > 0 && !state.isForeignStore();
    }

    /** What the machine has counted so far. */
    public static MachineUse machine(StackState state, Processes processes) {
        return MachineUse.now(processes.seeMachine() && isStartedHere(state));
    }

    /**
     * The job answers some time after the one look at the generator and before the other. Held against one of them it would have a lag
     * that is too great, or too small, by what is sent in that time; in the middle of both it is neither in the mean.
     */
    private static OptionalDouble mean(OptionalDouble before, OptionalDouble after) {
        return before.isPresent() && after.isPresent()
                ? OptionalDouble.of((before.getAsDouble() + after.getAsDouble()) / 2)
                : OptionalDouble.empty();
    }

    /** The same with another count of the job. */
    Mark withProcessed(double readings) {
        return new Mark(millis, nanos, accepted, acceptedAtJob, OptionalDouble.of(readings), early, processes, machine);
    }

    /**
     * Readings in the broker that the job has not decoded; empty when one counter is not known. Both count from the stack's first
     * reading, as long as no process was started again; Flink's own figure of it is seconds old.
     */
    public OptionalDouble lag() {
        return acceptedAtJob.isPresent() && processed.isPresent()
                ? OptionalDouble.of(Math.max(0, acceptedAtJob.getAsDouble() - processed.getAsDouble()))
                : OptionalDouble.empty();
    }

    /** Of the processes that run, by the name of their part, and this one. */
    public static Map<String, Long> pids(StackState state) {
        Map<String, Long> pids = new LinkedHashMap<>();
        state.parts().forEach((name, part) -> {
            if (part.pid() > 0) {
                pids.put(name, part.pid());
            }
        });
        pids.put(Processes.RIG, ProcessHandle.current().pid());
        return pids;
    }

    /** What the generator says of itself, where it answers. */
    public static Optional<GeneratorClient.State> generator(StackState state) {
        String url = state.part(StackState.GENERATOR).url();
        return url.isEmpty() ? Optional.empty() : new GeneratorClient(url).state();
    }
}
