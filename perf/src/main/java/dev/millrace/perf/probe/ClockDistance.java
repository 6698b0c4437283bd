package dev.millrace.perf.probe;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How far one machine's wall clock is ahead of another's, from asking it for its time over the network: it answered somewhere between
 * the question and the answer's arrival, so half of that way is the uncertainty (F. Cristian, "Probabilistic clock synchronization",
 * 1989). Of several questions the one with the shortest way counts.
 *
 * @param from the machine whose clock is 0, by name
 * @param to the other one; the same name for two clocks of one machine, which must be equal
 * @param offsetMillis positive when {@code to} is ahead
 * @param uncertaintyMillis the true offset is within so much of it, on either side
 */
public record ClockDistance(String from, String to, double offsetMillis, double uncertaintyMillis) {
    private static final double NANOS_OF_A_MILLI = 1e6;

    /**
     * One question and its answer.
     *
     * @param offsetNanos what was answered, beyond this clock in the middle of the way
     * @param wayNanos from question to answer
     */
    public record Look(long offsetNanos, long wayNanos) {}

    /**
     * Asks once.
     *
     * @param here this machine's clock, nanoseconds since the epoch
     * @param there asks the other one's
     */
    public static Look look(LongSupplier here, LongSupplier there) {
        long asked = here.getAsLong();
        long began = System.nanoTime();
        long answered = there.getAsLong();
        long way = System.nanoTime() - began;
        return new Look(answered - (asked + way / 2), way);
    }

    /** What several looks at one clock say; the one with the shortest way. */
    public static ClockDistance of(String from, String to, List<Look> looks) {
        Look best = looks.stream().min(Comparator.comparingLong(Look::wayNanos)).orElseThrow();
        return new ClockDistance(
                from, to, best.offsetNanos() / NANOS_OF_A_MILLI, best.wayNanos() / 2 / NANOS_OF_A_MILLI);
    }

    /** All that either of two looks at the same clocks allows. */
    public ClockDistance or(ClockDistance other) {
        double least = Math.min(offsetMillis - uncertaintyMillis, other.offsetMillis - other.uncertaintyMillis);
        double most = Math.max(offsetMillis + uncertaintyMillis, other.offsetMillis + other.uncertaintyMillis);
        return new ClockDistance(from, to, (least + most) / 2, (most - least) / 2);
    }

    /** From {@code to} of this one to {@code to} of the other, both from the same machine: uncertainties add up. */
    public ClockDistance to(ClockDistance other) {
        return new ClockDistance(
                to, other.to, other.offsetMillis - offsetMillis, uncertaintyMillis + other.uncertaintyMillis);
    }
}
