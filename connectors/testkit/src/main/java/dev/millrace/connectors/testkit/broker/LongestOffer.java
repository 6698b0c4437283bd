package dev.millrace.connectors.testkit.broker;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Times the offers of one thread. An offer in which the thread stopped anywhere has taken all of its time; of one in which it never did,
 * only the work counts: on a busy machine a thread that could go on may have to wait long for a processor, and no publisher can help that.
 */
final class LongestOffer {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long nanos;

    /** Makes the offer, and answers as it does. */
    boolean timed(BooleanSupplier offer) {
        long stopsBefore = stops();
        long workedBefore = THREADS.getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        boolean accepted = offer.getAsBoolean();
        long took = System.nanoTime() - begin;
        long worked = THREADS.getCurrentThreadCpuTime() - workedBefore;
        nanos = Math.max(nanos, stops() > stopsBefore ? took : worked);
        return accepted;
    }

    Duration time() {
        return Duration.ofNanos(nanos);
    }

    private static long stops() {
        ThreadInfo self = THREADS.getThreadInfo(Thread.currentThread().getId());
        return self.getBlockedCount() + self.getWaitedCount();
    }
}
