package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.job.StackJob;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a job beside a generator that goes on: first unmeasured seconds, in which it catches up and gets warm, then those in which
 * {@link RowLatency} counts.
 */
final class LatencyPass {
    private LatencyPass() {}

    static ObjectNode run(Variant variant, StackJob job, long warmUpSeconds, long seconds) throws Exception {
        long bound = job.settings().window().outOfOrderness().toMillis();
        Drain running = JobDrain.start(job, (environment, own) -> variant.rows(environment, own)
                .sinkTo(new RowLatency(bound))
                .uid("latency"));
        pause(warmUpSeconds);
        System.gc();
        RowLatency.reset();
        pause(seconds);
        ObjectNode result = new ObjectMapper().createObjectNode();
        RowLatency.write(result);
        running.stop();
        return result;
    }

    private static void pause(long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadline) {
            LockSupport.parkNanos(deadline - System.nanoTime());
        }
    }
}
