package dev.millrace.connectors.generator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * CPU time spent on nothing, a stated amount for each reading: a difference of a known size, to see whether a benchmark finds it.
 * Counted by a thread's CPU clock, so that time in which the thread did not run is none. On a thread of its own: burnt between two
 * sends it would delay the second one, and readings that come in bunches cost everybody behind the generator less.
 */
final class Burn implements AutoCloseable {
    /** The clock costs a microsecond or so: it is asked for more than one reading at once where readings owe little. */
    private static final long LEAST_NANOS = 50_000;
    /** With more than that owed the sender waits: what is never burnt would be no difference. */
    private static final long MOST_NANOS = 100_000_000;

    private static final long PAUSE_NANOS = 1_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long nanosPerReading;
    private final AtomicLong owedNanos = new AtomicLong();
    private final Thread thread = new Thread(this::run, "generator-burn");
    private volatile boolean closed;

    Burn(long microsPerReading) {
        this.nanosPerReading = microsPerReading * 1000;
        if (nanosPerReading > 0) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Used by one thread. */
    void oneReading() {
        if (nanosPerReading == 0) {
            return;
        }
        owedNanos.addAndGet(nanosPerReading);
        while (owedNanos.get() > MOST_NANOS && !closed) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Whether all that readings owe is burnt, but for what is not worth a look at the clock. */
    boolean isDone() {
        return owedNanos.get() < LEAST_NANOS;
    }

    private void run() {
        while (!closed) {
            if (isDone()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                // What was too much is taken off the next.
                owedNanos.addAndGet(-burnt(owedNanos.get()));
            }
        }
    }

    private static long burnt(long nanos) {
        long begun = THREADS.getCurrentThreadCpuTime();
        long burnt = 0;
        while (burnt < nanos) {
            burnt = THREADS.getCurrentThreadCpuTime() - begun;
        }
        return burnt;
    }

    /** Burns no more. */
    @Override
    public void close() {
        closed = true;
    }
}
