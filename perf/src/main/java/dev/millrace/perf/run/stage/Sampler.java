package dev.millrace.perf.run.stage;

import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import dev.millrace.deploy.look.GeneratorClient;
import dev.millrace.perf.probe.MetricsPage;
import dev.millrace.perf.probe.ProcessUse;
import dev.millrace.perf.result.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks at a stack once a second, on a thread of its own, until it is closed; keeps what curves and gates are made of. */
public final class Sampler implements AutoCloseable {
    private static final double MEBIBYTE = 1 << 20;
    /** Looks that are late come one upon the other; CPU time has ticks of 10 ms and says nothing of so short a time. */
    private static final long LEAST_NANOS = 500_000_000L;

    private final RunDirectory directory;
    private final Processes processes;
    private final MetricsPage metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "benchmark-sampler");
        sampler.setDaemon(true);
        return sampler;
    });
    private final long startNanos = System.nanoTime();
    private final long startMillis = System.currentTimeMillis();
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, Double> residentMiB = new HashMap<>();
    private volatile String phase;
    private volatile OptionalDouble processedBefore = OptionalDouble.empty();
    /** Of the sampling thread: whether the job that counts anew was heard. */
    private boolean isHeardAnew;

    private @Nullable Mark before;

    public Sampler(RunDirectory directory, Processes processes, String phase) {
        this.directory = directory;
        this.metrics = new MetricsPage(directory);
        this.processes = processes;
        this.phase = phase;
        thread.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
    }

    /** From now on; greatest memory is that of the phase. */
    synchronized void phase(String name) {
        phase = name;
        residentMiB.clear();
    }

    /** What was of one phase turned out to be of another. */
    public synchronized void rename(String phase, String name) {
        samples.replaceAll(sample -> sample.phase().equals(phase) ? sample.in(name) : sample);
    }

    /** The job was stopped when it had read so many readings, and will count anew. */
    public void jobCountsAfter(double processed) {
        processedBefore = OptionalDouble.of(processed);
    }

    private void sample() {
        try {
            StackState state = directory.presentState();
            // First: whoever says it has seen the old job gone.
            OptionalDouble base = processedBefore;
            Mark seen = Mark.of(state, metrics, processes);
            Mark now = base.isPresent() ? since(base.getAsDouble(), seen) : seen;
            Optional<GeneratorClient.State> generator = Mark.generator(state);
            add(now, generator);
        } catch (RuntimeException e) {
            // A second without a sample; what is wrong with the stack is found by the marks and the audit.
            before = null;
        }
    }

    /** A job that is still away has read nothing more; of one that was heard already and does not answer nothing is known. */
    private Mark since(double before, Mark seen) {
        OptionalDouble counted = seen.processed();
        isHeardAnew |= counted.isPresent();
        return counted.isPresent() || !isHeardAnew ? seen.withProcessed(before + counted.orElse(0)) : seen;
    }

    private synchronized void add(Mark now, Optional<GeneratorClient.State> generator) {
        Mark last = before;
        if (last != null && now.nanos() - last.nanos() < LEAST_NANOS) {
            return;
        }
        Map<String, Double> resident = residentMiB(now.processes());
        resident.forEach((name, mebibytes) -> {
            if (!name.equals(Processes.RIG)) {
                residentMiB.merge(name, mebibytes, Math::max);
            }
        });
        before = now;
        if (last == null) {
            return;
        }
        double seconds = (now.nanos() - last.nanos()) / 1e9;
        Map<String, Double> cores = new LinkedHashMap<>();
        now.processes().forEach((name, use) -> {
            if (last.processes().containsKey(name)) {
                double cpu = use.cpu().minus(last.processes().get(name).cpu()).toNanos() / 1e9;
                cores.put(name, Math.max(0, cpu / seconds));
            }
        });
        samples.add(new Sample(
                (int) ((now.nanos() - startNanos) / 1_000_000_000L),
                phase,
                rate(last.accepted(), now.accepted(), seconds),
                rate(last.processed(), now.processed(), seconds),
                now.lag().isPresent() ? Long.valueOf((long) now.lag().getAsDouble()) : null,
                generator.map(GeneratorClient.State::latenessMillis).orElse(null),
                null,
                cores,
                resident));
    }

    /** Of those that are known. */
    static Map<String, Double> residentMiB(Map<String, ProcessUse> uses) {
        Map<String, Double> resident = new LinkedHashMap<>();
        uses.forEach((name, use) -> {
            if (!Double.isNaN(use.residentBytes())) {
                resident.put(name, use.residentBytes() / MEBIBYTE);
            }
        });
        return resident;
    }

    private static @Nullable Double rate(OptionalDouble before, OptionalDouble now, double seconds) {
        return before.isPresent() && now.isPresent() ? (now.getAsDouble() - before.getAsDouble()) / seconds : null;
    }

    /** The clock at second 0, epoch milliseconds. */
    public long startMillis() {
        return startMillis;
    }

    public synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** The greatest memory of each process in this phase, MiB, of those whose memory is known. */
    public synchronized Map<String, Double> residentMiB() {
        return Map.copyOf(residentMiB);
    }

    /** Takes no more samples. */
    public void stop() {
        thread.shutdownNow();
    }

    @Override
    public void close() {
        stop();
    }
}
