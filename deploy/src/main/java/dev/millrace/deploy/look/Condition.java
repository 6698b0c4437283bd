package dev.millrace.deploy.look;

import dev.millrace.core.state.StateDisk;
import dev.millrace.deploy.local.FlinkRest;
import dev.millrace.deploy.local.StackState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a stack is, in one word and one sentence: what the supervisor says, made more exact by what was seen.
 *
 * @param state one of {@link StackStatus#STATES}
 * @param message empty when there is nothing to say
 */
record Condition(String state, String message) {
    /** A broker that is only slow for a moment is no news. */
    private static final long LATE_MILLIS = 10_000;

    private static final long LEAST_PATIENCE_MILLIS = 60_000;

    private static final List<String> NEEDED =
            List.of(StackState.BROKER, StackState.STORE, StackState.JOB_MANAGER, StackState.TASK_MANAGER);

    Condition {
        if (!StackStatus.STATES.contains(state)) {
            throw new IllegalArgumentException("'" + state + "' is no state of a stack");
        }
    }

    static Condition of(
            StackState state,
            Map<String, Long> pids,
            Optional<FlinkRest.Job> job,
            Optional<GeneratorClient.State> generator) {
        boolean kept = pids.containsKey(StackState.SUPERVISOR)
                || state.part(StackState.SUPERVISOR).isKeptByOthers();
        if (!kept) {
            boolean said =
                    state.state() == StackState.State.FAILED && !state.message().isEmpty();
            return new Condition(
                    pids.isEmpty() ? "stopped" : "recovering",
                    "the supervisor is gone" + (said ? " (" + state.message() + ")" : "")
                            + "; 'millrace up' with the same settings takes the stack over");
        }
        if (state.state() == StackState.State.STARTING && hasRunBefore(state, pids)) {
            return new Condition("recovering", state.message());
        }
        if (state.state() != StackState.State.RUNNING) {
            return new Condition(state.state().word(), state.message());
        }
        for (String part : NEEDED) {
            if (!pids.containsKey(part) && !restsByRight(state.part(part))) {
                return new Condition("recovering", "the " + part + " is down and is being restarted");
            }
        }
        if (job.isEmpty() || !job.get().runs()) {
            return new Condition(
                    "recovering",
                    job.map(said -> "the job is " + said.state() + ", " + said.tasksRunning() + " of " + said.tasks()
                                    + " tasks run")
                            .orElse("the JobManager does not answer yet"));
        }
        return generator
                .map(Condition::ofGenerator)
                .orElseGet(() -> state.part(StackState.GENERATOR).state().equals("complete")
                        ? new Condition("running", "the generator has sent all its readings")
                        : new Condition("recovering", "the generator does not answer yet"));
    }

    /** This, and where its state is on a disk that is slow, that. */
    Condition withDisk(OptionalDouble syncsPerSecond) {
        boolean slow = state.equals("running")
                && syncsPerSecond.isPresent()
                && syncsPerSecond.getAsDouble() < StateDisk.SLOW_SYNCS_PER_SECOND;
        return slow
                ? new Condition(
                        state,
                        String.format(
                                Locale.ROOT,
                                "the disk below RocksDB is slow, %.0f synced writes a second, and the job waits for it",
                                syncsPerSecond.getAsDouble()))
                : this;
    }

    /** This, or what it is of a stack that is being taken down: its parts go one by one, and none comes back. */
    Condition orStopping(boolean isStopping) {
        return isStopping ? new Condition("stopping", "the stack is being taken down") : this;
    }

    /** This, or that a running stack recovers from something else. */
    Condition orElseIf(boolean hurt, String sentence) {
        return hurt && state.equals("running") ? new Condition("recovering", sentence) : this;
    }

    /** A part was started again, or is to be: the supervisor calls both the stack's start. */
    private static boolean hasRunBefore(StackState state, Map<String, Long> pids) {
        return state.parts().entrySet().stream()
                .anyMatch(part -> part.getValue().restarts() > 0
                        || part.getValue().pid() > 0 && !pids.containsKey(part.getKey()));
    }

    private static Condition ofGenerator(GeneratorClient.State generator) {
        return switch (generator.state()) {
            case "running" ->
                generator.latenessMillis() > LATE_MILLIS
                        ? new Condition(
                                "recovering",
                                "the broker does not take the readings: the generator is "
                                        + generator.latenessMillis() / 1000 + " s behind its schedule")
                        : new Condition("running", generator.message());
            case "paused" ->
                new Condition(
                        "paused",
                        generator.message().isEmpty()
                                ? "the generator is paused; 'millrace generator resume' goes on"
                                : generator.message());
            case "paused-disk" -> new Condition("paused", generator.message());
            case "complete" ->
                new Condition(
                        "running",
                        "the generator has sent all its readings"
                                + (generator.message().isEmpty() ? "" : ": " + generator.message()));
            default -> new Condition("recovering", "the generator is " + generator.state());
        };
    }

    /**
     * This, or that rows stand still: they are stored when a checkpoint is complete. A job that never had one counts from its first
     * start: between two failures all its tasks run.
     */
    Condition withCheckpoint(Optional<FlinkRest.Job> job, Duration interval, long nowMillis) {
        OptionalLong triggered =
                job.map(FlinkRest.Job::checkpointTriggeredMillis).orElse(OptionalLong.empty());
        return triggered.isPresent()
                ? withoutCheckpoint("that of ", triggered, interval, nowMillis)
                : withoutCheckpoint(
                        "the job's start at ",
                        job.map(FlinkRest.Job::noCheckpointSinceMillis).orElse(OptionalLong.empty()),
                        interval,
                        nowMillis);
    }

    private Condition withoutCheckpoint(String what, OptionalLong sinceMillis, Duration interval, long nowMillis) {
        long patience = Math.max(LEAST_PATIENCE_MILLIS, interval.toMillis() * 5);
        long since = sinceMillis.orElse(nowMillis);
        return orElseIf(
                nowMillis - since > patience,
                "no checkpoint was completed since " + what
                        + Instant.ofEpochMilli(since).truncatedTo(ChronoUnit.SECONDS) + ", so no row is stored");
    }

    /** A part that others keep, or a generator that is through, has no process here and needs none. */
    private static boolean restsByRight(StackState.Part part) {
        return part.state().equals("complete") || part.isKeptByOthers();
    }
}
