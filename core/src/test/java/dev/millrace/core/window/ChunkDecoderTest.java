package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.WindowSettings;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The decoder")
@SuppressWarnings("try") // the harness's close() may be interrupted
class ChunkDecoderTest {
    private static final WindowSettings WINDOW = WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ofSeconds(0));

    @Test
    @DisplayName("makes a partial of each reading and writes the greatest event time into the chunk")
    void decodes() throws Exception {
        try (var harness = harness(1, 0, null)) {
            PayloadChunk chunk = chunk(Samples.reading("a", 0, 1500), Samples.reading("b", 1, 900));
            send(harness, chunk);
            assertThat(harness.extractOutputValues())
                    .extracting(partial -> partial.deviceId + " " + partial.sliceEnd + " " + partial.values.readings)
                    .containsExactly("a 2000 1", "b 1000 1");
            assertThat(chunk.maxEventTime()).isEqualTo(1500);
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
            assertThat(harness.extractOutputValues()).hasSize(1);
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
            assertThat(harness.extractOutputValues()).allMatch(partial -> partial.ifClosed == null);
            harness.processWatermark(new Watermark(3000));
            state = harness.snapshot(2, 2);
        }
        try (var harness = harness(1, 0, state)) {
            send(harness, chunk(Samples.reading("a", 0, 4999)));
            assertThat(letters(harness)).hasSize(1);
        }
    }

    @Test
    @DisplayName("sends each reading's dead letter along when it has been idle, also after a restore")
    void carriesLetters() throws Exception {
        OperatorSubtaskState state;
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
            state = harness.snapshot(1, 1);
        }
        try (var harness = harness(1, 0, state)) {
            send(harness, chunk(Samples.reading("a", 0, 2000)));
            assertThat(harness.extractOutputValues().get(0).ifClosed).isNotNull();
        }
    }

    @Test
    @DisplayName("carries them after a restore at another parallelism, too, because splits have moved")
    void carriesLettersAfterRescaling() throws Exception {
        OperatorSubtaskState state;
        try (var harness = harness(1, 0, null)) {
            harness.processWatermark(new Watermark(4999));
            state = harness.snapshot(1, 1);
        }
        OperatorSubtaskState rescaled =
                org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness.repartitionOperatorState(
                        state, 128, 1, 2, 1);
        try (var harness = harness(2, 1, rescaled)) {
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
        var harness = new OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial>(
                new ChunkDecoder(WINDOW, null), 128, parallelism, subtask);
        harness.setup(SlicePartialSerializer.INSTANCE);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }
}
