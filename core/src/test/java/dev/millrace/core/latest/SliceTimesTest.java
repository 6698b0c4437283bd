package dev.millrace.core.latest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.JobSettings.StateBackend;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.WindowedAggregation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The latest times of a device")
@SuppressWarnings("try") // the harness's close() may be interrupted
class SliceTimesTest {
    private static final JobSettings SETTINGS = new JobSettings(
            WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ZERO),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            1,
            Duration.ofSeconds(1),
            "",
            StateBackend.HEAP,
            null,
            0,
            null);
    private static final DeadLetter LETTER =
            new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, 3), 600, new byte[0]);

    @Test
    @DisplayName("come when a slice closes, for the types that it had, and count all readings since the job began")
    void rows() throws Exception {
        try (Harness harness = harness(null)) {
            send(harness, "a", "open", 10);
            send(harness, "a", "open", 900);
            send(harness, "a", "open", 300);
            send(harness, "a", "shut", 999);
            send(harness, "a", "open", 1000);
            harness.processWatermark(new Watermark(998));
            assertThat(harness.extractOutputValues()).isEmpty();
            harness.processWatermark(new Watermark(999));
            assertThat(harness.extractOutputValues())
                    .containsExactlyInAnyOrder(
                            new LatestTime("a", "open", 900, 3, 1000), new LatestTime("a", "shut", 999, 1, 1000));
            harness.getOutput().clear();
            harness.processWatermark(new Watermark(5000));
            assertThat(harness.extractOutputValues()).containsExactly(new LatestTime("a", "open", 1000, 4, 2000));
            assertThat(harness.numEventTimeTimers()).isZero();
        }
    }

    @Test
    @DisplayName("go on over restores as if there had been none, whatever the order within a slice")
    void restores() throws Exception {
        Random random = new Random(20_261_121);
        Map<String, LatestTime> expected = new HashMap<>();
        Map<String, LatestTime> newest = new HashMap<>();
        OperatorSubtaskState state = null;
        long checkpoint = 0;
        for (int second = 0; second < 60; second += 3) {
            try (Harness harness = harness(state)) {
                for (int i = 0; i < 3; i++) {
                    long start = (second + i) * 1000L;
                    for (int k = random.nextInt(300); k > 0; k--) {
                        String device = "device-" + random.nextInt(3);
                        String type = "type-" + random.nextInt(100);
                        long time = start + random.nextInt(1500);
                        send(harness, device, type, time);
                        expected.merge(
                                device + type,
                                new LatestTime(device, type, time, 1, time / 1000 * 1000 + 1000),
                                (a, b) -> new LatestTime(
                                        device,
                                        type,
                                        Math.max(a.latest(), b.latest()),
                                        a.readings() + 1,
                                        Math.max(a.asOf(), b.asOf())));
                    }
                    harness.processWatermark(new Watermark(start + 999));
                }
                state = harness.snapshot(++checkpoint, checkpoint);
                if (second == 57) {
                    harness.processWatermark(Watermark.MAX_WATERMARK);
                }
                harness.extractOutputValues().forEach(row -> newest.put(row.deviceId() + row.eventType(), row));
            }
        }
        assertThat(newest).isEqualTo(expected).hasSizeGreaterThan(250);
    }

    @Test
    @DisplayName(
            "leave a reading of a closed slice to the dead letters, also after a restore; without a letter they fail")
    void late() throws Exception {
        OperatorSubtaskState state;
        try (Harness harness = harness(null)) {
            send(harness, "a", "open", 500);
            harness.processWatermark(new Watermark(1500));
            state = harness.snapshot(1, 1);
        }
        try (Harness harness = harness(state)) {
            TypedReading late = reading("a", "open", 600);
            assertThatThrownBy(() -> harness.processElement(new StreamRecord<>(late)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("slice 1000 of device a");
            late.ifClosed = LETTER;
            harness.processElement(new StreamRecord<>(late));
            harness.processWatermark(new Watermark(5000));
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.getSideOutput(WindowedAggregation.DEAD_LETTERS))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(LETTER);
        }
    }

    private static void send(Harness harness, String device, String type, long eventTime) throws Exception {
        harness.processElement(new StreamRecord<>(reading(device, type, eventTime)));
    }

    private static TypedReading reading(String device, String type, long eventTime) {
        TypedReading reading = new TypedReading();
        reading.deviceId = device;
        reading.eventType = type;
        reading.eventTime = eventTime;
        reading.sliceEnd = eventTime / 1000 * 1000 + 1000;
        return reading;
    }

    private static final class Harness
            extends KeyedOneInputStreamOperatorTestHarness<String, TypedReading, LatestTime> {
        Harness() throws Exception {
            super(new SliceTimes(SETTINGS), reading -> reading.deviceId, Types.STRING, 128, 1, 0);
        }
    }

    private static Harness harness(OperatorSubtaskState state) throws Exception {
        Harness harness = new Harness();
        harness.setup(LatestTimeSerializer.INSTANCE);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }
}
