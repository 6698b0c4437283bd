package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.WindowSettings;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The decoder")
@SuppressWarnings("try") // the harness's close() may be interrupted
class ChunkDecoderTest {
    private static final WindowSettings WINDOW = WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ofSeconds(0));
    private static final long YEAR_9999_MILLIS = 253_402_300_799_000L;

    @Test
    @DisplayName("merges the readings of a device and slice and writes the greatest event time into the chunk")
    void decodes() throws Exception {
        try (var harness = harness(1, 0, null)) {
            PayloadChunk chunk =
                    chunk(Samples.reading("a", 0, 1500), Samples.reading("b", 1, 900), Samples.reading("a", 1, 1000));
            send(harness, chunk);
            assertThat(chunk.maxEventTime()).isEqualTo(1500);
            assertThat(harness.getOutput()).isEmpty();
            harness.prepareSnapshotPreBarrier(1);
            assertThat(partials(harness)).containsExactlyInAnyOrder("a 2000 2", "b 1000 1");
        }
    }

    @Test
    @DisplayName("refuses a writer schema of no readings where the job is built")
    void writerSchema() {
        for (String schema : List.of("{\"type\":", "\"string\"")) {
            assertThatThrownBy(() -> new ChunkDecoder<SlicePartial>(
                            Samples.settings(WINDOW, Duration.ZERO, schema), false, out -> new PreAggregation(0, out)))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("writer schema");
        }
    }

    @Test
    @DisplayName("hands out the partials of a slice before the watermark that closes it, and the others later")
    void flushesBeforeTheWatermark() throws Exception {
        try (var harness = harness(1, 0, null)) {
            send(harness, chunk(Samples.reading("a", 0, 999), Samples.reading("a", 1, 1000)));
            harness.processWatermark(new Watermark(998));
            assertThat(partials(harness)).isEmpty();
            harness.processWatermark(new Watermark(999));
            assertThat(partials(harness)).containsExactly("a 1000 1");
            List<Object> output = List.copyOf(harness.getOutput());
            assertThat(output.get(output.size() - 1)).isEqualTo(new Watermark(999));
            harness.endInput();
            harness.getOneInputOperator().finish();
            assertThat(partials(harness)).containsExactly("a 1000 1", "a 2000 1");
        }
    }

    @Test
    @DisplayName("hands out all partials before it says that it is idle")
    void flushesBeforeIdle() throws Exception {
        try (var harness = harness(1, 0, null)) {
            send(harness, chunk(Samples.reading("a", 0, 5000)));
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            List<Object> output = List.copyOf(harness.getOutput());
            assertThat(output).hasSize(2);
            assertThat(output.get(1)).isEqualTo(WatermarkStatus.IDLE);
        }
    }

    @Test
    @DisplayName("sends what is no reading, and what is late, to the dead letters with its place and payload")
    void deadLetters() throws Exception {
        try (var harness = harness(1, 0, null)) {
            harness.processWatermark(new Watermark(999));
            byte[] bytes = {9, 9, 9};
            send(harness, new PayloadChunk(4, 1, bytes, new int[] {3}, new long[] {77}, 5, new long[] {6}, false));
            PayloadChunk mixed = chunk(Samples.reading("a", 0, 999), Samples.reading("a", 1, 1000));
            send(harness, mixed);
            assertThat(letters(harness))
                    .containsExactly(
                            new DeadLetter(
                                    DeadLetter.Reason.UNDECODABLE,
                                    4,
                                    new dev.millrace.core.reading.Position(5, 6),
                                    77,
                                    bytes),
                            new DeadLetter(DeadLetter.Reason.LATE, 0, mixed.position(0), 999, mixed.payload(0)));
            harness.prepareSnapshotPreBarrier(1);
            assertThat(partials(harness)).containsExactly("a 2000 1");
        }
    }

    @Test
    @DisplayName(
            "sends what is too far ahead of its arrival to the dead letters, and the chunk's greatest time is without it")
    void future() throws Exception {
        try (var harness = harness(1, 0, null)) {
            PayloadChunk sample = chunk(
                    Samples.reading("a", 0, 70_000),
                    Samples.reading("a", 1, 70_001),
                    Samples.reading("a", 2, YEAR_9999_MILLIS),
                    Samples.reading("a", 3, 90_000));
            // The broker took the first three at 10,000, and of the last it does not say when.
            long[] taken = {10_000, 10_000, 10_000, 0};
            int[] ends = {sample.end(0), sample.end(1), sample.end(2), sample.end(3)};
            PayloadChunk chunk = new PayloadChunk(0, 4, sample.bytes(), ends, taken, 0, new long[] {0, 1, 2, 3}, false);
            send(harness, chunk);
            assertThat(chunk.maxEventTime()).isEqualTo(90_000);
            assertThat(letters(harness))
                    .containsExactly(
                            new DeadLetter(DeadLetter.Reason.FUTURE, 0, chunk.position(1), 10_000, chunk.payload(1)),
                            new DeadLetter(DeadLetter.Reason.FUTURE, 0, chunk.position(2), 10_000, chunk.payload(2)));
            harness.prepareSnapshotPreBarrier(1);
            assertThat(partials(harness)).containsExactlyInAnyOrder("a 71000 1", "a 91000 1");
        }
    }

    @Test
    @DisplayName(
            "no reading moves the watermark ahead of the time at which the broker took it, unless clocks are not looked at")
    void ahead() throws Exception {
        PayloadChunk sample = chunk(Samples.reading("a", 0, 9_000), Samples.reading("a", 1, 70_000));
        int[] ends = {sample.end(0), sample.end(1)};
        long[] taken = {10_000, 10_500};
        PayloadChunk chunk = new PayloadChunk(0, 2, sample.bytes(), ends, taken, 0, new long[] {0, 1}, false);
        try (var harness = harness(1, 0, null)) {
            send(harness, chunk);
            assertThat(letters(harness)).isEmpty();
            assertThat(chunk.maxEventTime()).isEqualTo(10_500);
            harness.prepareSnapshotPreBarrier(1);
            assertThat(partials(harness)).containsExactlyInAnyOrder("a 10000 1", "a 71000 1");
        }
        try (var harness = harness(Samples.decoder(WINDOW, Duration.ZERO), 1, 0, null)) {
            send(harness, chunk);
            assertThat(chunk.maxEventTime()).isEqualTo(70_000);
        }
    }

    @Test
    @DisplayName("still knows after a restore what was closed before")
    void floorAfterRestore() throws Exception {
        OperatorSubtaskState state;
        try (var harness = harness(1, 0, null)) {
            harness.processWatermark(new Watermark(4999));
            state = harness.snapshot(1, 1);
        }
        try (var harness = harness(1, 0, state)) {
            send(harness, chunk(Samples.reading("a", 0, 4999), Samples.reading("a", 1, 5000)));
            assertThat(letters(harness)).extracting(DeadLetter::eventTime).containsExactly(4999L);
            harness.processWatermark(new Watermark(3000));
            harness.prepareSnapshotPreBarrier(2);
            assertThat(harness.extractOutputValues()).hasSize(1).allMatch(partial -> partial.ifClosed == null);
            state = harness.snapshot(2, 2);
        }
        try (var harness = harness(1, 0, state)) {
            send(harness, chunk(Samples.reading("a", 0, 4999)));
            assertThat(letters(harness)).hasSize(1);
        }
    }

    @Test
    @DisplayName("sends each reading's dead letter along when it has been idle: others may have closed any slice")
    void carriesLetters() throws Exception {
        try (var harness = harness(1, 0, null)) {
            PayloadChunk chunk = chunk(Samples.reading("a", 0, 1000));
            send(harness, chunk);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            send(harness, chunk);
            List<SlicePartial> partials = harness.extractOutputValues();
            assertThat(partials.get(0).ifClosed).isNull();
            assertThat(partials.get(1).ifClosed)
                    .isEqualTo(new DeadLetter(DeadLetter.Reason.LATE, 0, chunk.position(0), 1000, chunk.payload(0)));
        }
    }

    @Test
    @DisplayName(
            "after a restore sends them along only as far as some subtask had closed slices, also when it was idle before")
    void carriesLettersAsFarAsOthersHadClosed() throws Exception {
        OperatorSubtaskState state;
        try (var ahead = harness(2, 0, null);
                var behind = harness(2, 1, null)) {
            ahead.processWatermark(new Watermark(4999));
            behind.processWatermarkStatus(WatermarkStatus.IDLE);
            behind.setProcessingTime(60_000);
            state = AbstractStreamOperatorTestHarness.repackageState(ahead.snapshot(1, 1), behind.snapshot(1, 1));
        }
        for (int parallelism : new int[] {2, 1, 4}) {
            OperatorSubtaskState own = AbstractStreamOperatorTestHarness.repartitionOperatorState(
                    state, 128, 2, parallelism, parallelism - 1);
            try (var harness = harness(parallelism, parallelism - 1, own)) {
                send(harness, chunk(Samples.reading("a", 0, 4999), Samples.reading("a", 1, 5000)));
                harness.prepareSnapshotPreBarrier(2);
                List<SlicePartial> partials = harness.extractOutputValues();
                assertThat(partials.get(0).ifClosed)
                        .as("parallelism " + parallelism)
                        .isNotNull();
                assertThat(partials.get(1).ifClosed)
                        .as("parallelism " + parallelism)
                        .isNull();
                assertThat(letters(harness)).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("does not forget what others had closed when it is idle after a restore and restored again")
    void remembersOverTwoRestores() throws Exception {
        OperatorSubtaskState state;
        try (var harness = harness(1, 0, null)) {
            harness.processWatermark(new Watermark(4999));
            state = harness.snapshot(1, 1);
        }
        state = AbstractStreamOperatorTestHarness.repartitionOperatorState(state, 128, 1, 2, 1);
        try (var harness = harness(2, 1, state)) {
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.setProcessingTime(60_000);
            state = harness.snapshot(2, 2);
        }
        try (var harness = harness(2, 1, state)) {
            send(harness, chunk(Samples.reading("a", 0, 4999)));
            assertThat(harness.extractOutputValues().get(0).ifClosed).isNotNull();
        }
    }

    @Test
    @DisplayName("holds the watermark for 10 s when it has read nothing yet: its splits may still come")
    void waitsForSplits() throws Exception {
        try (var harness = harness(1, 0, null)) {
            harness.setProcessingTime(0);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            assertThat(harness.getOutput()).isEmpty();
            harness.setProcessingTime(9_999);
            assertThat(harness.getOutput()).isEmpty();
            harness.setProcessingTime(10_000);
            assertThat(harness.getOutput()).containsExactly(WatermarkStatus.IDLE);
        }
    }

    private static List<String> partials(OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial> harness) {
        return harness.extractOutputValues().stream()
                .map(partial -> partial.deviceId + " " + partial.sliceEnd + " " + partial.values.readings)
                .toList();
    }

    private static PayloadChunk chunk(Reading... readings) {
        return Samples.chunk(0, 0, List.of(readings));
    }

    private static void send(OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial> harness, PayloadChunk chunk)
            throws Exception {
        harness.processElement(new StreamRecord<>(chunk));
    }

    private static List<DeadLetter> letters(OneInputStreamOperatorTestHarness<?, ?> harness) {
        var letters = harness.getSideOutput(WindowedAggregation.DEAD_LETTERS);
        return letters == null
                ? List.of()
                : letters.stream().map(StreamRecord::getValue).toList();
    }

    private static OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial> harness(
            int parallelism, int subtask, OperatorSubtaskState state) throws Exception {
        return harness(Samples.decoder(WINDOW), parallelism, subtask, state);
    }

    private static OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial> harness(
            ChunkDecoder<SlicePartial> decoder, int parallelism, int subtask, OperatorSubtaskState state)
            throws Exception {
        var harness =
                new OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial>(decoder, 128, parallelism, subtask);
        harness.setup(SlicePartialSerializer.INSTANCE);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }
}
