package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.settings.WindowSettings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a job beside a generator that goes on: first until it has caught up with the topic and for some seconds more, unmeasured, then
 * those in which {@link RowLatency} counts.
 */
final class LatencyPass {
    private static final long CAUGHT_UP_MICROS = 2_000_000;
    private static final long CATCH_UP_BOUND_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long LAST_ROWS_BOUND_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NANOS = 50_000_000;

    private LatencyPass() {}

    static ObjectNode run(Variant variant, StackJob job, long warmUpSeconds, long seconds) throws Exception {
        RowLatency.begin();
        WindowSettings window = job.settings().window();
        Drain running = JobDrain.start(job, (environment, own) -> variant.rows(environment, own)
                .sinkTo(new RowLatency(window.outOfOrderness().toMillis()))
                .uid("latency"));
        long deadline = System.nanoTime() + CATCH_UP_BOUND_NANOS;
        while (isBehind(window, System.currentTimeMillis()) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        boolean caughtUp = !isBehind(window, System.currentTimeMillis());
        pause(warmUpSeconds);
        System.gc();
        long from = System.currentTimeMillis();
        long to = from + TimeUnit.SECONDS.toMillis(seconds);
        RowLatency.countDue(from, to);
        pause(seconds);
        boolean isBehind = isBehind(window, System.currentTimeMillis());
        boolean came = awaitRows(lastDue(window, to));
        ObjectNode result = new ObjectMapper().createObjectNode();
        RowLatency.write(result);
        result.put("keptUp", caughtUp && !isBehind && came);
        running.stop();
        return result;
    }

    /** When the last window ends whose rows are due before {@code toMillis}. */
    static long lastDue(WindowSettings window, long toMillis) {
        long slide = window.slideMillis();
        return Math.floorDiv(toMillis - 1 - window.outOfOrderness().toMillis(), slide) * slide;
    }

    /** Rows that are due and have not come are the latest of all: without them a job that stalls at the end would look fast. */
    private static boolean awaitRows(long windowEnd) {
        long deadline = System.nanoTime() + LAST_ROWS_BOUND_NANOS;
        while (RowLatency.newestEnd() < windowEnd && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        boolean came = RowLatency.newestEnd() >= windowEnd;
        // Another subtask's may come a little later.
        LockSupport.parkNanos(LOOK_NANOS);
        return came;
    }

    /**
     * Whether rows came late, or those that were due did not come: a job that has stopped has a newest row that was in time. A window
     * ends every slide, so by the clock the newest one that is due ended less than a slide and the out-of-orderness ago.
     */
    static boolean isBehind(WindowSettings window, long nowMillis) {
        long due = nowMillis - window.outOfOrderness().toMillis() - window.slideMillis();
        return RowLatency.lastMicros() > CAUGHT_UP_MICROS || RowLatency.newestEnd() < due - CAUGHT_UP_MICROS / 1000;
    }

    private static void pause(long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadline) {
            LockSupport.parkNanos(deadline - System.nanoTime());
        }
    }
}
