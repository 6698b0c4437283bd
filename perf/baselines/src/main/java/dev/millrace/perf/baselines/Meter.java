package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches one pass of a drain from a thread of its own: the count over time, the CPU time of this process, of the broker's and of
 * the store's, bytes that threads allocated. A thread that ends between two looks is counted up to the look before.
 */
final class Meter {
    private static final long LOOK_NANOS = 20_000_000;

    private final Drain drain;
    private final long brokerPid;
    private final long storePid;
    private final ArrayNode samples;
    private final ObjectNode result;
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> allocatedBefore = new HashMap<>();
    private final Map<Long, Long> allocated = new HashMap<>();
    private final long startNanos = System.nanoTime();
    private final long cpuBefore = process.getProcessCpuTime();
    private final Duration brokerCpuBefore;
    private final Duration storeCpuBefore;
    private final long gcBefore = gcMillis();
    private final long compileBefore = compileMillis();
    private final Thread thread = new Thread(this::watch, "meter");
    private volatile boolean over;
    private long last;
    private long endedNanos;

    /**
     * @param brokerPid 0 when the broker is no process of this machine
     * @param storePid 0 when there is none
     */
    Meter(Drain drain, long brokerPid, long storePid, ObjectNode result) {
        this.drain = drain;
        this.brokerPid = brokerPid;
        this.storePid = storePid;
        this.result = result;
        this.samples = result.putArray("samples");
        this.brokerCpuBefore = cpu(brokerPid);
        this.storeCpuBefore = cpu(storePid);
        allocations(allocatedBefore);
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!over) {
            sample();
            // At each look: of a pass of a second, the last fifth of one would be missing otherwise.
            allocations(allocated);
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void sample() {
        long count = drain.readings();
        if (count != last) {
            last = count;
            samples.addArray().add(System.nanoTime() - startNanos).add(count);
        }
    }

    private void allocations(Map<Long, Long> into) {
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            into.merge(ids[i], bytes[i], Math::max);
        }
    }

    private static Duration cpu(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    private static long gcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** For how long this process's compilers have worked so far, all threads together. */
    static long compileMillis() {
        return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    }

    /** How long ago the pass ended: what is done behind it is no part of what the machine did meanwhile. */
    long nanosSinceEnd() {
        return System.nanoTime() - endedNanos;
    }

    /** Ends the pass, whose last row is visible now, and writes the figures down. */
    void end() throws InterruptedException {
        endedNanos = System.nanoTime();
        long endNanos = endedNanos - startNanos;
        long cpuNanos = process.getProcessCpuTime() - cpuBefore;
        over = true;
        thread.join();
        sample();
        long allocatedBytes = allocated.entrySet().stream()
                .mapToLong(one -> one.getValue() - allocatedBefore.getOrDefault(one.getKey(), 0L))
                .sum();
        result.put("readings", drain.readings());
        result.put("endNanos", endNanos);
        result.put("cpuNanos", cpuNanos);
        result.put("brokerCpuNanos", cpu(brokerPid).minus(brokerCpuBefore).toNanos());
        result.put("storeCpuNanos", cpu(storePid).minus(storeCpuBefore).toNanos());
        result.put("allocatedBytes", allocatedBytes);
        result.put("gcMillis", gcMillis() - gcBefore);
        result.put("compileMillis", compileMillis() - compileBefore);
    }
}
