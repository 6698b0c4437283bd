package dev.millrace.connectors.generator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What {@code GET /metrics} shows, and the rate of the last second. Thread-safe. */
final class GeneratorMetrics {
    private static final long RATE_WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Timer latency = Timer.builder("millrace.generator.send.latency")
            .description("from the intended send time to the broker's acknowledgement")
            .publishPercentileHistogram()
            // A broker on the same machine takes less than a millisecond; what is faster is in one bucket.
            .minimumExpectedValue(Duration.ofNanos(100_000))
            .maximumExpectedValue(Duration.ofMinutes(1))
            .register(registry);
    private final Counter early = Counter.builder("millrace.generator.send.early")
            .description("acknowledgements that came before the intended send time: a clock was set back; latency 0")
            .register(registry);
    private @Nullable Generator generator;
    private boolean counts;
    private long sampleNanos;
    private long sampleSent;
    private double rate;

    void latency(long micros) {
        if (micros < 0) {
            early.increment();
        }
        latency.record(Math.max(0, micros), TimeUnit.MICROSECONDS);
    }

    synchronized void watch(Generator generator) {
        this.generator = generator;
        Gauge.builder("millrace.generator.lateness.seconds", generator, g -> g.latenessMillis() / 1000.0)
                .description("how long the next reading has been due")
                .register(registry);
        Gauge.builder("millrace.generator.target.rate", generator, Generator::targetRate)
                .description("readings per second of the schedule; -1 without pacing")
                .register(registry);
        for (GeneratorState state : GeneratorState.values()) {
            Gauge.builder("millrace.generator.state", generator, g -> g.state() == state ? 1 : 0)
                    .tag("state", state.wireName())
                    .register(registry);
        }
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    /** Publishes what the newest audit of the stack found: it runs beside the ledger, and ends before anybody could ask it. */
    void watch(AuditVerdict audit) {
        for (String what : AuditVerdict.ROWS) {
            Gauge.builder("millrace.audit.rows", audit, verdict -> verdict.rows(what))
                    .description("of the newest audit; NaN before the first")
                    .tag("what", what)
                    // Nobody else holds it, and a gauge by itself does not either.
                    .strongReference(true)
                    .register(registry);
        }
        Gauge.builder("millrace.audit.equal", audit, AuditVerdict::equal)
                .description("1 when the newest audit found all as the ledger says, 0 when not")
                .strongReference(true)
                .register(registry);
        Gauge.builder("millrace.audit.ended.seconds", audit, AuditVerdict::endedSeconds)
                .description("when the newest audit ended, epoch seconds")
                .strongReference(true)
                .register(registry);
    }

    String scrape() {
        rate();
        return registry.scrape();
    }

    /**
     * Readings acknowledged per second, over the time since a question at least a second ago; 0 while it is not known what was sent
     * before.
     */
    synchronized double rate() {
        if (generator == null || !counts && !generator.state().knowsLedger()) {
            return 0;
        }
        long sent = generator.readingsSent();
        long now = System.nanoTime();
        if (!counts) {
            // Not before: what the ledger has is no second's work, and a counter that begins at 0 and jumps is one to
            // whoever scrapes it.
            count(generator);
            counts = true;
            sampleNanos = now;
            sampleSent = sent;
        }
        long elapsed = now - sampleNanos;
        if (elapsed >= RATE_WINDOW_NANOS) {
            rate = (sent - sampleSent) * 1e9 / elapsed;
            sampleNanos = now;
            sampleSent = sent;
        }
        return rate;
    }

    private void count(Generator generator) {
        FunctionCounter.builder("millrace.generator.readings.sent", generator, Generator::readingsSent)
                .description("readings that the broker acknowledged")
                .register(registry);
        FunctionCounter.builder("millrace.generator.readings.offered", generator, Generator::readingsOffered)
                .description("readings handed to the broker's client")
                .register(registry);
    }
}
