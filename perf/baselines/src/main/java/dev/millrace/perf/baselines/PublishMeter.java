package dev.millrace.perf.baselines;

import dev.millrace.core.concurrent.SingleWriterLong;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Receipts, and latencies of as many of them and by a clock as coarse as the load tool's beside which it is read. Set up once by {@link
 * #expect}, before the first offer; from then on thread-safe. Every thread that brings receipts has a tally of its own, without a
 * locked instruction: a load tool has none either.
 */
final class PublishMeter {
    private static final long HIGHEST_MICROS = Duration.ofHours(1).toNanos() / 1000;
    private static final int DIGITS = 3;
    private static final double NANOS = 1e9;
    /** Rarely: each look takes a core from who is measured, and the end is known from the receipts, not from the look. */
    private static final long LOOK_NANOS = 20_000_000;

    /**
     * The one of a process. Not a field of {@link MeasuredBroker}: every process that looks for brokers makes one of those, also
     * one without this meter's histograms.
     */
    static final PublishMeter OF_PROCESS = new PublishMeter(System::nanoTime);

    private final LongSupplier nanos;
    private final Queue<Tally> tallies = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Tally> own = ThreadLocal.withInitial(() -> {
        Tally tally = new Tally();
        tallies.add(tally);
        return tally;
    });

    private long every = 1;
    private long stepNanos = 1;
    private long warmUpNanos;
    private long readings = Long.MAX_VALUE;
    private long beganNanos;
    private volatile long beganMillis;
    private boolean begun;

    /** @param nanos a clock that only runs forward */
    PublishMeter(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * @param count receipts until it is complete
     * @param every of how many offers one is timed
     * @param step of the clock
     * @param warmUp how long after the first offer latencies begin to count
     */
    void expect(long count, long every, Duration step, Duration warmUp) {
        readings = count;
        this.every = every;
        stepNanos = step.toNanos();
        warmUpNanos = warmUp.toNanos();
    }

    /** Whether the payload that is offered as the {@code number}th, from 0, is timed: the first one is. */
    boolean isTimed(long number) {
        return number % every == 0;
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

    /** The receipt of a payload that is not timed. */
    void stored() {
        own.get().stored.increment();
    }

    /**
     * The receipt of one that is.
     *
     * @param offered what {@link #offering} said; the client's own hand-over makes the beginning visible here
     */
    void stored(long offered) {
        long now = nanos.getAsLong();
        Tally tally = own.get();
        // The end of the step in which it was offered: its beginning may be before the first offer.
        if ((offered + 1) * stepNanos - beganNanos > warmUpNanos) {
            long micros = (Math.floorDiv(now, stepNanos) - offered) * stepNanos / 1000;
            tally.latencies.recordValue(Math.min(HIGHEST_MICROS, micros));
        }
        tally.lastNanos = now;
        tally.stored.increment();
    }

    /** How many receipts came. */
    long receipts() {
        return tallies.stream().mapToLong(tally -> tally.stored.get()).sum();
    }

    /** Whether all receipts came within {@code bound}. */
    boolean await(Duration bound) {
        long end = System.nanoTime() + bound.toNanos();
        while (receipts() < readings) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** From the first offer to the last receipt that is timed; once it is complete. */
    double readingsPerSecond() {
        long ended = tallies.stream()
                .mapToLong(tally -> tally.lastNanos - beganNanos)
                .max()
                .orElseThrow();
        return readings / (ended / NANOS);
    }

    /** The clock when latencies began to count, epoch milliseconds; once it is complete. */
    long countedFromMillis() {
        return beganMillis + warmUpNanos / 1_000_000;
    }

    /** Of those that count; once it is complete. */
    Histogram latencyMicros() {
        Histogram all = new Histogram(HIGHEST_MICROS, DIGITS);
        tallies.forEach(tally -> all.add(tally.latencies));
        return all;
    }

    /** Of one thread; others read the rest of it when {@link #receipts} has told them that it is complete. */
    private static final class Tally {
        private final Histogram latencies = new Histogram(HIGHEST_MICROS, DIGITS);
        private final SingleWriterLong stored = new SingleWriterLong();
        private long lastNanos;
    }
}
