package dev.millrace.deploy.look;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** How many cores each process used, between the making of this and {@link #measured}: CPU time over time. */
final class UsedCores {
    private final Map<String, Long> pids;
    private final Map<String, Duration> before;
    private final long startNanos = System.nanoTime();

    /** @param pids process name to process id */
    UsedCores(Map<String, Long> pids) {
        this.pids = pids;
        this.before = read();
    }

    /** Waits until {@code span} has passed since the start; processes that are gone are left out. */
    Map<String, Double> measured(Duration span) {
        long rest = span.toNanos() - (System.nanoTime() - startNanos);
        while (rest > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(rest);
            rest = span.toNanos() - (System.nanoTime() - startNanos);
        }
        double nanos = System.nanoTime() - startNanos;
        Map<String, Duration> after = read();
        Map<String, Double> cores = new LinkedHashMap<>();
        after.forEach((name, cpu) -> {
            if (before.containsKey(name)) {
                double used = Math.max(0, cpu.minus(before.get(name)).toNanos()) / nanos;
                cores.put(name, Math.round(used * 1000) / 1000.0);
            }
        });
        return cores;
    }

    private Map<String, Duration> read() {
        Map<String, Duration> cpu = new LinkedHashMap<>();
        pids.forEach((name, pid) -> ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .ifPresent(duration -> cpu.put(name, duration)));
        return cpu;
    }
}
