package dev.millrace.perf.publish;

import dev.millrace.perf.probe.MachineUse;
import java.util.Locale;

/**
 * One process that published one topic full. Figures that were not measured are NaN.
 *
 * @param sent how many the broker has answered, as it says itself: a tool may send some more than it was told
 * @param stored how many were in the topic at the end
 * @param readingsPerSecond by what was in the topic, looked at from outside, from {@link PublishTrial#COUNT_FROM} of the readings on
 * @param ownReadingsPerSecond what it says itself, over its whole run
 * @param p50Millis from the call that sends to the broker's answer, as it measures itself
 * @param intendedP99Millis from the intended send time; of ours at a rate
 * @param cpuSecondsPerMillion of its process, with the start
 * @param loadBefore the machine's load average when it began
 * @param machine what the machine counted from its start to its end
 */
record PublishRun(
        Plan plan,
        long sent,
        long stored,
        double readingsPerSecond,
        double ownReadingsPerSecond,
        double p50Millis,
        double p99Millis,
        double intendedP99Millis,
        double cpuSecondsPerMillion,
        double loadBefore,
        MachineUse machine) {
    /** Share of the rate by which a run may miss it. */
    private static final double RATE_TOLERANCE = 0.02;

    /**
     * What it is to do.
     *
     * @param round from 1; 0 is not measured
     * @param askedPerSecond 0: as fast as the broker takes them
     */
    record Plan(String broker, Side side, int round, long askedPerSecond, long readings) {
        /** Whether it is to find how much the broker takes. */
        boolean isAtFullSpeed() {
            return askedPerSecond == 0;
        }
    }

    /** What a process says of itself. */
    record Own(long sent, double readingsPerSecond, double p50Millis, double p99Millis, double intendedP99Millis) {}

    /** Whether the topic holds what was sent, neither less nor more, and that is at least what was asked for. */
    boolean isWhole() {
        return stored == sent && sent >= plan.readings();
    }

    /** Neither below it nor above: who sends faster has been late before and catches up. */
    boolean heldItsRate() {
        return plan.isAtFullSpeed()
                || Math.abs(readingsPerSecond - plan.askedPerSecond()) <= RATE_TOLERANCE * plan.askedPerSecond();
    }

    /** Whether it is in medians and ratios: one that lost a reading, or did not hold its rate, has figures of something else. */
    boolean counts() {
        return isWhole() && heldItsRate();
    }

    String sentence() {
        return String.format(
                Locale.ROOT,
                "%,.0f readings/s, p50 %.1f ms, p99 %.1f ms, %.1f CPU s per million%s",
                readingsPerSecond,
                p50Millis,
                p99Millis,
                cpuSecondsPerMillion,
                isWhole() ? "" : String.format(Locale.ROOT, "; sent %,d, the topic holds %,d", sent, stored));
    }
}
