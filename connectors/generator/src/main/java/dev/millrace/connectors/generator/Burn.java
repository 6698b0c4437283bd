package dev.millrace.connectors.generator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * CPU time spent on nothing, a stated amount for each reading: a difference of a known size, to see whether a benchmark finds it.
 * Counted by the thread's CPU clock, so that time in which the thread did not run is none. Used by one thread.
 */
final class Burn {
    /** The clock costs a microsecond or so: it is asked for more than one reading at once where readings owe little. */
    private static final long LEAST_NANOS = 50_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long nanosPerReading;
    private long owedNanos;

    Burn(long microsPerReading) {
        this.nanosPerReading = microsPerReading * 1000;
    }

    void oneReading() {
        owedNanos += nanosPerReading;
        if (owedNanos < LEAST_NANOS) {
            return;
        }
        long begun = THREADS.getCurrentThreadCpuTime();
        long burnt = 0;
        while (burnt < owedNanos) {
            burnt = THREADS.getCurrentThreadCpuTime() - begun;
        }
        // What was too much is taken off the next.
        owedNanos -= burnt;
    }
}
