package dev.millrace.perf.baselines;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * Receipts and their latencies, by a clock as coarse as that of the load tool beside which it is read. Set up once by {@link
 * #expect}, before the first offer; from then on thread-safe.
 */
final class PublishMeter {
    private static final long HIGHEST_MICROS = Duration.ofHours(1).toNanos() / 1000;
    private static final int DIGITS = 3;
    private static final double NANOS = 1e9;

    /**
     * The one of a process. Not a field of {@link MeasuredBroker}: every process that looks for brokers makes one of those, also
     * one without this meter's histograms.
     */
    static final PublishMeter OF_PROCESS = new PublishMeter(System::nanoTime);

    private final LongSupplier nanos;
    private final AtomicHistogram latencies = new AtomicHistogram(HIGHEST_MICROS, DIGITS);
    private final AtomicLong stored = new AtomicLong();
    private final CountDownLatch complete = new CountDownLatch(1);

    private long stepNanos = 1;
    private long warmUpNanos;
    private long readings = Long.MAX_VALUE;
    private long beganNanos;
    private volatile long beganMillis;
    private boolean begun;
    private volatile long endedNanos;

    /** @param nanos a clock that only runs forward */
    PublishMeter(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * @param count receipts until it is complete
     * @param step of the clock
     * @param warmUp how long after the first offer latencies begin to count
     */
    void expect(long count, Duration step, Duration warmUp) {
        readings = count;
        stepNanos = step.toNanos();
        warmUpNanos = warmUp.toNanos();
    }

    /** When a payload is offered, in steps; on the offering thread. */
    long offering() {
        long now = nanos.getAsLong();
        if (!begun) {
            begun = true;
            beganNanos = now;
            beganMillis = System.currentTimeMillis();
        }
        return Math.floorDiv(now, stepNanos);
    }

    /** @param offered what {@link #offering} said; the client's own hand-over makes the beginning visible here */
    void stored(long offered) {
        long now = nanos.getAsLong();
        // The end of the step in which it was offered: its beginning may be before the first offer.
        if ((offered + 1) * stepNanos - beganNanos > warmUpNanos) {
            long micros = (Math.floorDiv(now, stepNanos) - offered) * stepNanos / 1000;
            latencies.recordValue(Math.min(HIGHEST_MICROS, micros));
        }
        if (stored.incrementAndGet() == readings) {
            endedNanos = now;
            complete.countDown();
        }
    }

    /** How many receipts came. */
    long stored() {
        return stored.get();
    }

    /** Whether all receipts came within {@code bound}. */
    boolean await(Duration bound) throws InterruptedException {
        return complete.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From the first offer to the last receipt; once it is complete. */
    double readingsPerSecond() {
        return readings / ((endedNanos - beganNanos) / NANOS);
    }

    /** The clock when latencies began to count, epoch milliseconds; once it is complete. */
    long countedFromMillis() {
        return beganMillis + warmUpNanos / 1_000_000;
    }

    /** Of those that count; once it is complete. */
    Histogram latencyMicros() {
        return latencies;
    }
}
