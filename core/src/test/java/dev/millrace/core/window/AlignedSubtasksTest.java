package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkOutputMultiplexer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In simulated time, with Flink's own combination of the splits' watermarks. */
@DisplayName("Two subtasks that each read a busy and an idle partition")
class AlignedSubtasksTest {
    private static final long STEP = 100;
    private static final long IDLE_AFTER = 120_000;
    private static final long OUT_OF_ORDERNESS = 5_000;
    private static final long DRIFT = 20_000;
    private static final long STALLED_AT = 600_000;

    private long now;

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000, 12_000, 300_000})
    @DisplayName("have caught up some time after one of them could not go on for a while")
    void catchUp(long stall) {
        List<Subtask> subtasks = List.of(new Subtask(), new Subtask());
        for (now = 0; now < STALLED_AT + stall + 600_000; now += STEP) {
            boolean stalled = now >= STALLED_AT && now < STALLED_AT + stall;
            step(subtasks.get(0), stalled);
            step(subtasks.get(1), false);
            align(subtasks);
        }
        assertThat(subtasks).allSatisfy(subtask -> assertThat(now - subtask.watermark)
                .as("milliseconds behind")
                .isLessThan(OUT_OF_ORDERNESS + DRIFT));
    }

    private static void step(Subtask subtask, boolean stalled) {
        subtask.fetch();
        if (!stalled) {
            subtask.emit();
            subtask.tick();
        }
    }

    /** As the coordinator does; one that has no watermark yet is not in it. */
    private static void align(List<Subtask> subtasks) {
        subtasks.stream()
                .filter(subtask -> subtask.watermark != Long.MIN_VALUE)
                .mapToLong(subtask -> subtask.idle ? Long.MAX_VALUE - DRIFT : subtask.watermark)
                .min()
                .ifPresent(least -> subtasks.forEach(subtask -> subtask.most = least + DRIFT));
    }

    /** What a fetch has brought: readings up to an event time, the quiet partition's confirmed end, or both. */
    private record Batch(boolean readings, long upTo, boolean confirmed, long fetchedAt) {}

    private final class Subtask implements WatermarkOutput {
        private static final long LONGEST_CHUNK = 5_000;
        private static final int IN_HAND = 3;

        private final WatermarkOutputMultiplexer combined = new WatermarkOutputMultiplexer(this);
        private final ReadingWatermarks busy = watermarks();
        private final ReadingWatermarks quiet = watermarks();
        private final Queue<Batch> fetched = new ArrayDeque<>();
        private long busyWatermark = Long.MIN_VALUE;
        private long read;
        private long askedAt = -1_000;
        private long watermark = Long.MIN_VALUE;
        private boolean idle;
        private long most = Long.MAX_VALUE;

        Subtask() {
            combined.registerNewOutput("busy", split -> busyWatermark = split);
            combined.registerNewOutput("quiet", split -> {});
        }

        private ReadingWatermarks watermarks() {
            return new ReadingWatermarks(Duration.ofMillis(OUT_OF_ORDERNESS), Duration.ofMillis(IDLE_AFTER), () -> now);
        }

        private void fetch() {
            while (fetched.size() < IN_HAND) {
                long upTo = busyWatermark > most ? read : Math.min(now, read + LONGEST_CHUNK);
                boolean asks = now - askedAt >= 1_000;
                if (upTo == read && !asks) {
                    return;
                }
                fetched.add(new Batch(upTo > read, upTo, asks, now));
                read = upTo;
                askedAt = asks ? now : askedAt;
            }
        }

        private void emit() {
            while (watermark <= most && !fetched.isEmpty()) {
                Batch batch = fetched.remove();
                if (batch.readings) {
                    PayloadChunk chunk = Samples.chunk(0, 0, List.of(Samples.reading("d", 0, batch.upTo)));
                    chunk.maxEventTime(batch.upTo);
                    busy.onEvent(chunk, 0, combined.getImmediateOutput("busy"));
                }
                if (batch.confirmed) {
                    quiet.onEvent(
                            PayloadChunk.confirmedEnd(
                                    1, Duration.ofMillis(batch.fetchedAt).toNanos(), true),
                            0,
                            combined.getImmediateOutput("quiet"));
                }
            }
        }

        private void tick() {
            busy.onPeriodicEmit(combined.getDeferredOutput("busy"));
            quiet.onPeriodicEmit(combined.getDeferredOutput("quiet"));
            combined.onPeriodicEmit();
        }

        @Override
        public void emitWatermark(Watermark mark) {
            watermark = mark.getTimestamp();
            idle = false;
        }

        @Override
        public void markIdle() {
            idle = true;
        }

        @Override
        public void markActive() {
            idle = false;
        }
    }
}
