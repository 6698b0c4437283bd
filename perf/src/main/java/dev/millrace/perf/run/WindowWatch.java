package dev.millrace.perf.run;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.run.stage.EventTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Watches the store, on a thread of its own, for the moment from which all rows of a window are there. A window is due when event
 * time is its end and the out-of-orderness: a watermark can pass its end then, not earlier. What the broker, the job, the
 * checkpoint and the store take is in the latency; waiting for the window to fill is not.
 */
final class WindowWatch implements AutoCloseable {
    /** So coarse is each latency. */
    static final long INTERVAL_MILLIS = 25;

    /**
     * One window's.
     *
     * @param dueMillis epoch milliseconds, by the clock
     */
    record Visible(long dueMillis, long latencyMillis) {}

    private final LongSupplier completeTo;
    private final long slideMillis;
    private final long outOfOrdernessMillis;
    private final EventTime time;
    private final List<Visible> visible = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closed;
    private long reached = Long.MIN_VALUE;

    WindowWatch(StoreClient store, StackSettings settings, EventTime time) {
        this(
                store::completeTo,
                Values.duration(settings.text("slide")).toMillis(),
                settings.outOfOrderness().toMillis(),
                time);
    }

    /** @param completeTo up to when all rows are there, epoch milliseconds; {@link Long#MIN_VALUE} when none is */
    WindowWatch(LongSupplier completeTo, long slideMillis, long outOfOrdernessMillis, EventTime time) {
        this.completeTo = completeTo;
        this.slideMillis = slideMillis;
        this.outOfOrdernessMillis = outOfOrdernessMillis;
        this.time = time;
        thread = new Thread(this::watch, "benchmark-windows");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            try {
                look(completeTo.getAsLong(), System.currentTimeMillis());
            } catch (RuntimeException e) {
                // The store is away: its windows become visible later, and that is what is counted.
                LockSupport.parkNanos(INTERVAL_MILLIS * 1_000_000);
            }
            LockSupport.parkNanos(pauseMillis(System.currentTimeMillis()) * 1_000_000);
        }
    }

    /** A look is work for a store that is measured, and before the next window is due it can find none. */
    synchronized long pauseMillis(long nowMillis) {
        return reached == Long.MIN_VALUE
                ? INTERVAL_MILLIS
                : Math.max(INTERVAL_MILLIS, dueMillis(endAfter(reached)) - nowMillis);
    }

    private long endAfter(long millis) {
        return (Math.floorDiv(millis, slideMillis) + 1) * slideMillis;
    }

    private long dueMillis(long end) {
        return time.clockMillis(end + outOfOrdernessMillis);
    }

    synchronized void look(long complete, long nowMillis) {
        if (complete == Long.MIN_VALUE || complete <= reached) {
            return;
        }
        if (reached != Long.MIN_VALUE) {
            for (long end = endAfter(reached); end <= complete; end += slideMillis) {
                long due = dueMillis(end);
                visible.add(new Visible(due, nowMillis - due));
            }
        }
        reached = complete;
    }

    /** Waits until every window that was due by {@code millis}, by the clock, is there; false when it is not within the bound. */
    boolean await(long millis, long boundMillis) {
        long deadline = System.nanoTime() + boundMillis * 1_000_000;
        long lastEnd = Math.floorDiv(time.eventMillis(millis) - outOfOrdernessMillis, slideMillis) * slideMillis;
        while (reached() < lastEnd) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(INTERVAL_MILLIS * 1_000_000);
        }
        return true;
    }

    private synchronized long reached() {
        return reached == Long.MIN_VALUE ? Long.MIN_VALUE / 2 : reached;
    }

    /** Latencies of the windows that were due between the two, epoch milliseconds. */
    synchronized List<Visible> dueBetween(long from, long to) {
        return visible.stream()
                .filter(one -> one.dueMillis() >= from && one.dueMillis() < to)
                .toList();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
