package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.job.StackJob;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a job beside a generator that goes on: first until it has caught up with the topic and for some seconds more, unmeasured, then
 * those in which {@link RowLatency} counts.
 */
final class LatencyPass {
    private static final long CAUGHT_UP_MICROS = 2_000_000;
    private static final long CATCH_UP_BOUND_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long LOOK_NANOS = 50_000_000;

    private LatencyPass() {}

    static ObjectNode run(Variant variant, StackJob job, long warmUpSeconds, long seconds) throws Exception {
        RowLatency.begin();
        long bound = job.settings().window().outOfOrderness().toMillis();
        Drain running = JobDrain.start(job, (environment, own) -> variant.rows(environment, own)
                .sinkTo(new RowLatency(bound))
                .uid("latency"));
        long deadline = System.nanoTime() + CATCH_UP_BOUND_NANOS;
        while (isBehind() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        boolean caughtUp = !isBehind();
        pause(warmUpSeconds);
        System.gc();
        RowLatency.reset();
        pause(seconds);
        ObjectNode result = new ObjectMapper().createObjectNode();
        RowLatency.write(result);
        result.put("keptUp", caughtUp && !isBehind());
        running.stop();
        return result;
    }

    private static boolean isBehind() {
        return RowLatency.lastMicros() > CAUGHT_UP_MICROS;
    }

    private static void pause(long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadline) {
            LockSupport.parkNanos(deadline - System.nanoTime());
        }
    }
}
