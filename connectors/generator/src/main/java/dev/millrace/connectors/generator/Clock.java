package dev.millrace.connectors.generator;

import java.time.Instant;

/** The time of day, epoch microseconds; thread-safe. */
@FunctionalInterface
interface Clock {
    long micros();

    /** A time that nobody sets, of no known beginning, in nanoseconds; it stands still while the machine sleeps. */
    default long steadyNanos() {
        return System.nanoTime();
    }

    /** How long a span of this clock's time takes by the machine's; both in microseconds. */
    default long realMicros(long micros) {
        return micros;
    }

    /** The machine's. */
    static long system() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    /**
     * Time that runs {@code factor} times as fast from {@code anchorMicros} on, as the machine's clock counts it: a week of
     * event time can pass in a minute. The same anchor gives the same time after a restart.
     */
    static Clock accelerated(long anchorMicros, double factor) {
        return new Clock() {
            @Override
            public long micros() {
                return anchorMicros + (long) ((system() - anchorMicros) * factor);
            }

            @Override
            public long realMicros(long micros) {
                return (long) (micros / factor);
            }
        };
    }
}
