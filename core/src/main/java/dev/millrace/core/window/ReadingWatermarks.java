package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.JobSettings;
import java.io.Serializable;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * The watermark of one partition; Flink makes one of these for each split and takes the least.
 *
 * <p>The chunk's event time is there when {@link #onEvent} comes, because a source emits a chunk before it calls the
 * generator and the decoder is chained to it. A partition is idle when its broker has confirmed its end again and again,
 * without a gap, for {@code idleAfter} since the last reading: a broker that is down confirms nothing, and so its partitions
 * hold the watermark back. A gap in which the broker was not asked, because this subtask waited for a slow sink or for the others,
 * counts neither way: partitions that began anew after it would have subtasks wait for one another's in turn, for
 * {@code idleAfter} each time.
 */
public final class ReadingWatermarks implements WatermarkGenerator<PayloadChunk> {
    private static final String ALIGNMENT_GROUP = "readings";
    /** How often subtasks agree how far each may read ahead; a drain moves at most one drift per round. */
    private static final Duration ALIGNMENT_INTERVAL = Duration.ofMillis(100);

    private static final Duration LEAST_DRIFT = Duration.ofSeconds(20);
    /** Confirmations come about every second; with less than this between them a partition would never be idle. */
    private static final long SHORTEST_GAP_MILLIS = 3_000;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_GAP_MILLIS = 10_000;

    private final long outOfOrdernessMillis;
    private final long idleAfterMillis;
    private final long gapMillis;
    private final LongSupplier clockMillis;

    private long maxEventTime = Long.MIN_VALUE;
    private boolean confirming;
    private long confirmedSince;
    private long confirmedLast;
    private boolean idle;

    ReadingWatermarks(Duration outOfOrderness, Duration idleAfter, LongSupplier clockMillis) {
        this.outOfOrdernessMillis = outOfOrderness.toMillis();
        this.idleAfterMillis = idleAfter.toMillis();
        this.gapMillis = Math.min(LONGEST_GAP_MILLIS, Math.max(SHORTEST_GAP_MILLIS, idleAfterMillis / 2));
        this.clockMillis = clockMillis;
    }

    /** The strategy for {@code fromSource}; subtasks may read ahead of the slowest by two windows, and 20 s at least. */
    public static WatermarkStrategy<PayloadChunk> strategy(JobSettings settings) {
        Duration drift = settings.window().size().multipliedBy(2);
        return withoutAlignment(settings)
                .withWatermarkAlignment(
                        ALIGNMENT_GROUP, drift.compareTo(LEAST_DRIFT) > 0 ? drift : LEAST_DRIFT, ALIGNMENT_INTERVAL);
    }

    private static WatermarkStrategy<PayloadChunk> withoutAlignment(JobSettings settings) {
        Duration outOfOrderness = settings.window().outOfOrderness();
        Duration idleAfter = settings.idleAfter();
        WatermarkStrategy<PayloadChunk> strategy = WatermarkStrategy.forGenerator(
                context -> new ReadingWatermarks(outOfOrderness, idleAfter, new SystemClock()));
        // Event time comes from the payload, not from here; chunks carry no timestamp of their own.
        return strategy.withTimestampAssigner((chunk, brokerTimestamp) -> brokerTimestamp);
    }

    @Override
    public void onEvent(PayloadChunk chunk, long ignored, WatermarkOutput output) {
        // What is no reading, or one that moves no watermark, is not what a partition is waited for.
        if (chunk.count() > 0 && chunk.maxEventTime() != Long.MIN_VALUE) {
            maxEventTime = Math.max(maxEventTime, chunk.maxEventTime());
            confirming = false;
            if (idle) {
                idle = false;
                output.markActive();
            }
        }
        if (chunk.atEnd()) {
            // Not when it comes: what waited for this task confirms nothing of the time in which it waited.
            long asked = chunk.count() == 0 ? chunk.askedNanos() / NANOS_PER_MILLI : clockMillis.getAsLong();
            long gap = asked - confirmedLast;
            if (!confirming || gap > gapMillis && !chunk.isUnbroken()) {
                confirming = true;
                confirmedSince = asked;
                confirmedLast = asked;
                return;
            }
            if (gap > gapMillis) {
                confirmedSince += gap;
            }
            // What was asked before a chunk that came with readings may stand behind it.
            confirmedLast = Math.max(confirmedLast, asked);
        }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
        long now = clockMillis.getAsLong();
        boolean idleNow =
                confirming && now - confirmedLast <= gapMillis && confirmedLast - confirmedSince >= idleAfterMillis;
        if (idleNow) {
            idle = true;
            output.markIdle();
            return;
        }
        if (idle) {
            idle = false;
            output.markActive();
        }
        if (maxEventTime != Long.MIN_VALUE) {
            output.emitWatermark(new Watermark(maxEventTime - outOfOrdernessMillis - 1));
        }
    }

    /** Time that no one sets back. */
    private static final class SystemClock implements LongSupplier, Serializable {
        @Override
        public long getAsLong() {
            return System.nanoTime() / NANOS_PER_MILLI;
        }
    }
}
