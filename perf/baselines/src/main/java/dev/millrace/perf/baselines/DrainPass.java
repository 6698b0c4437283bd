package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Drains a topic in one variant: first passes that are not measured, whose rows go to another store, so many or until compilers are
 * quiet, then the one that is. The first of them goes to the end of the topic: what is done there only, done for the first time, throws
 * away compiled code of the whole loop, and the second drain would pay for it. Or, with {@code drain.latency-seconds}, a
 * {@link LatencyPass}. It takes the job's settings and {@code drain.*}; figures go to the file {@code
 * drain.result} as JSON.
 */
final class DrainPass {
    /** Long enough to be warm, short enough that a slow variant does not take minutes for it. */
    private static final long WARM_UP_BOUND_NANOS = 60_000_000_000L;

    private static final long LOOK_NANOS = 10_000_000;
    /**
     * What is called for each fetch only is compiled in full after a minute or more of draining, and until then a compiler's
     * thread takes up to a whole core from what is measured.
     */
    private static final double QUIET_COMPILER_SHARE = 0.05;

    private static final int LEAST_PASSES_UNTIL_QUIET = 2;
    private static final int MOST_PASSES_UNTIL_QUIET = 40;
    /** Whose passes are long has no more than these when the others' time is over. */
    private static final int PASSES_AT_ANY_LENGTH = 15;

    private static final long MORE_PASSES_NANOS = Duration.ofMinutes(5).toNanos();

    private final Variant variant;
    private final Options settings;
    private final StackJob job;
    private final int leastWarmUpPasses;
    private final int mostWarmUpPasses;
    private final long warmUpReadings;
    private long readingsBefore;

    DrainPass(Options all) {
        this.settings = all.under("drain.");
        this.variant = Variant.valueOf(required("variant").toUpperCase(Locale.ROOT));
        boolean untilQuiet = settings.get("warm-up-passes").orElse("0").equals("quiet");
        this.leastWarmUpPasses = untilQuiet ? LEAST_PASSES_UNTIL_QUIET : (int) number("warm-up-passes");
        this.mostWarmUpPasses = untilQuiet ? MOST_PASSES_UNTIL_QUIET : leastWarmUpPasses;
        this.warmUpReadings =
                settings.get("warm-up-readings").map(Long::parseLong).orElse(Long.MAX_VALUE);
        Map<String, String> own = new TreeMap<>(all.asMap());
        own.keySet().removeIf(key -> key.startsWith("drain."));
        this.job = StackJob.of(Options.of(own), "the drain's settings");
        if (job.stopAt() != StopAt.END && !isOfLatency()) {
            throw new UserException("a drain stops at the end of its topic: stop-at=end");
        }
    }

    private String required(String key) {
        return settings.get(key).orElseThrow(() -> new UserException("the drain's settings lack drain." + key));
    }

    private long number(String key) {
        return Long.parseLong(settings.get(key).orElse("0"));
    }

    private boolean isOfLatency() {
        return settings.get("latency-seconds").isPresent();
    }

    void run() throws Exception {
        write(
                isOfLatency()
                        ? LatencyPass.run(variant, job, number("warm-up-seconds"), number("latency-seconds"))
                        : drained());
    }

    private ObjectNode drained() throws Exception {
        ObjectNode result = new ObjectMapper().createObjectNode();
        result.put("warmUpPasses", warmUp());
        result.put("warmUpReadings", readingsBefore);
        System.gc();
        CountingStore.WINDOWS.reset();
        result.put("variant", variant.name().toLowerCase(Locale.ROOT));
        Drain drain = variant.start(job);
        Meter meter = new Meter(drain, number("broker-pid"), number("store-pid"), result);
        drain.await();
        meter.end();
        if (drain instanceof PlainDrain plain) {
            plain.store();
        }
        result.put("rowsCounted", CountingStore.WINDOWS.sum());
        result.put("endedNanosAgo", meter.nanosSinceEnd());
        return result;
    }

    private void write(ObjectNode result) throws IOException {
        Path file = Path.of(required("result"));
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, result.toString());
        Files.move(draft, file);
    }

    /** Returns how many passes it took. */
    private int warmUp() throws Exception {
        long firstNanos = System.nanoTime();
        int pass = 0;
        double compilerShare = 1;
        while (pass < leastWarmUpPasses || mayGoOn(pass, firstNanos) && compilerShare > QUIET_COMPILER_SHARE) {
            long startNanos = System.nanoTime();
            long before = Meter.compileMillis();
            pass++;
            warmUp(pass);
            compilerShare = (Meter.compileMillis() - before) * 1e6 / (System.nanoTime() - startNanos);
        }
        return pass;
    }

    private boolean mayGoOn(int passes, long firstNanos) {
        return passes < mostWarmUpPasses
                && (passes < PASSES_AT_ANY_LENGTH || System.nanoTime() - firstNanos < MORE_PASSES_NANOS);
    }

    private void warmUp(int pass) throws Exception {
        Drain drain = variant.start(warming(pass));
        if (pass == 1) {
            drain.await();
        }
        long deadline = System.nanoTime() + WARM_UP_BOUND_NANOS;
        while (!drain.isOver() && drain.readings() < warmUpReadings && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        drain.stop();
        readingsBefore += drain.readings();
    }

    /** The same drain, as another reader group, with rows into another store and checkpoints beside the measured ones. */
    private StackJob warming(int pass) {
        JobSettings own = job.settings();
        JobSettings beside = new JobSettings(
                own.window(),
                own.maxAhead(),
                own.idleAfter(),
                own.parallelism(),
                own.checkpointInterval(),
                own.checkpointDirectory() + "-warm-up-" + pass,
                own.stateBackend(),
                own.stateDirectory(),
                own.preAggregationBytes(),
                own.writerSchema());
        return new StackJob(
                job.kind(),
                job.broker(),
                job.brokerOptions(),
                job.topic(),
                job.readerGroup() + "-warm-up-" + pass,
                job.stopAt(),
                job.store(),
                settings.under("warm-up-store."),
                job.resultsTopic(),
                job.resultsSendLimit(),
                beside);
    }
}
