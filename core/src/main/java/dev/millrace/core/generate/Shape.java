package dev.millrace.core.generate;

/**
 * The rate over time, second by second; the process turns every second whose rate differs into a segment of the schedule.
 *
 * @param from readings per second
 * @param to readings per second, the other rate of every kind but {@link Kind#CONSTANT}
 * @param periodSeconds at least 1
 */
public record Shape(Kind kind, long from, long to, long periodSeconds) {

    /** How the rate moves between {@code from} and {@code to}. */
    public enum Kind {
        /** {@code from}, always. */
        CONSTANT,
        /** {@code from} for one period, then {@code to}. */
        STEP,
        /** Evenly from {@code from} to {@code to} over one period, then {@code to}. */
        RAMP,
        /** A sine between both, from the middle upwards, once in a period. */
        SINE,
        /** {@code to} during the first tenth (at least one second) of every period, else {@code from}. */
        BURST
    }

    public Shape {
        if (from < 0 || to < 0 || from > Schedule.MAX_RATE || to > Schedule.MAX_RATE || periodSeconds < 1) {
            throw new IllegalArgumentException(
                    "rates " + from + ", " + to + " per second, period " + periodSeconds + " s");
        }
    }

    public static Shape constant(long readingsPerSecond) {
        return new Shape(Kind.CONSTANT, readingsPerSecond, readingsPerSecond, 1);
    }

    /** Readings per second during the given second since the start. */
    public long rateAt(long second) {
        return switch (kind) {
            case CONSTANT -> from;
            case STEP -> second < periodSeconds ? from : to;
            case RAMP -> second >= periodSeconds ? to : from + (to - from) * second / periodSeconds;
            // StrictMath: the same bits on every machine.
            case SINE ->
                Math.round((from + to) / 2.0
                        + Math.abs(to - from)
                                / 2.0
                                * StrictMath.sin(2 * Math.PI * (second % periodSeconds) / periodSeconds));
            case BURST -> second % periodSeconds < Math.max(1, periodSeconds / 10) ? to : from;
        };
    }

    /** The whole of it for so many seconds, as a schedule that pauses behind the last. */
    public Schedule schedule(long startMicros, long seconds) {
        Schedule schedule = new Schedule();
        for (long second = 0; second < seconds; second++) {
            extend(schedule, startMicros, second);
        }
        schedule.change(startMicros + seconds * 1_000_000, 0);
        return schedule;
    }

    /** Appends the segment of that second unless the last one has the same rate. */
    public void extend(Schedule schedule, long startMicros, long second) {
        long rate = rateAt(second);
        if (schedule.isEmpty() || schedule.last().readingsPerSecond() != rate) {
            schedule.change(startMicros + second * 1_000_000, rate);
        }
    }
}
