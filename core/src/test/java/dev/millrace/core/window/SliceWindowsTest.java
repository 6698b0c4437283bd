package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.core.settings.WindowSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The windows of a device")
@SuppressWarnings("try") // the harness's close() may be interrupted
class SliceWindowsTest {
    private static final WindowSettings TUMBLING = WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ZERO);

    @Test
    @DisplayName("hold each reading once, have negative maxima, and are there only when a reading is")
    void tumbling() throws Exception {
        try (var harness = harness(TUMBLING, null)) {
            Reading first = Samples.reading("a", 1, 0);
            Reading second = Samples.reading("a", 2, 999);
            Reading third = Samples.reading("a", 3, 5000);
            send(harness, TUMBLING, first, second, third);
            harness.processWatermark(new Watermark(998));
            assertThat(rows(harness)).isEmpty();
            harness.processWatermark(new Watermark(20_000));
            assertThat(rows(harness))
                    .containsExactly(
                            new DeviceWindow("a", 0, 1000, Samples.of(first, second)),
                            new DeviceWindow("a", 5000, 6000, Samples.of(third)));
            assertThat(rows(harness).get(0).values().max[0]).isEqualTo(-1 / 1024.0);
            assertThat(harness.numKeyedStateEntries()).isZero();
            assertThat(harness.numEventTimeTimers()).isZero();
        }
    }

    @Test
    @DisplayName("that slide are what adding every reading to every window would give")
    void sliding() throws Exception {
        for (long[] sizes : new long[][] {{1000, 1000}, {3000, 1000}, {2500, 1000}, {1000, 300}, {10_000, 500}}) {
            WindowSettings window =
                    new WindowSettings(Duration.ofMillis(sizes[0]), Duration.ofMillis(sizes[1]), Duration.ZERO);
            Random random = new Random(sizes[0] + sizes[1]);
            List<Reading> readings = new ArrayList<>();
            try (var harness = harness(window, null)) {
                long watermark = -5000;
                for (int i = 0; i < 400; i++) {
                    // Sometimes a long silence, so that windows end without a successor.
                    watermark += random.nextInt(50) == 0 ? 30_000 : random.nextInt(200);
                    harness.processWatermark(new Watermark(watermark));
                    long earliest = window.sliceEnd(watermark + 1) - window.sliceMillis();
                    long time = Math.max(earliest, watermark + 1) + random.nextInt(4000);
                    Reading reading = Samples.reading("device-" + random.nextInt(3), i, time);
                    readings.add(reading);
                    send(harness, window, reading);
                }
                harness.processWatermark(Watermark.MAX_WATERMARK);
                assertThat(rows(harness)).containsExactlyInAnyOrderElementsOf(bruteForce(window, readings));
                assertThat(harness.numKeyedStateEntries()).isZero();
            }
        }
    }

    private static List<DeviceWindow> bruteForce(WindowSettings window, List<Reading> readings) {
        List<DeviceWindow> rows = new ArrayList<>();
        for (String device : List.of("device-0", "device-1", "device-2")) {
            long slide = window.slideMillis();
            for (long start = -40 * slide; start < 1_000_000; start += slide) {
                long end = start + window.sizeMillis();
                Accumulator values = new Accumulator();
                for (Reading reading : readings) {
                    if (reading.deviceId.equals(device) && reading.eventTime >= start && reading.eventTime < end) {
                        values.add(reading);
                    }
                }
                if (values.readings > 0) {
                    rows.add(new DeviceWindow(device, start, end, values));
                }
            }
        }
        return rows;
    }

    @Test
    @DisplayName("are not made of the slices of another window: a restore with other settings says so")
    void anotherWindow() throws Exception {
        OperatorSubtaskState state;
        WindowSettings sliding = new WindowSettings(Duration.ofSeconds(60), Duration.ofSeconds(10), Duration.ZERO);
        try (var harness = harness(sliding, null)) {
            send(harness, sliding, Samples.reading("a", 1, 500));
            state = harness.snapshot(1, 1);
        }
        for (WindowSettings other : List.of(
                new WindowSettings(Duration.ofSeconds(60), Duration.ofSeconds(20), Duration.ZERO),
                WindowSettings.tumbling(Duration.ofSeconds(10), Duration.ZERO))) {
            assertThatThrownBy(() -> harness(other, state).close())
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("of window 1m with slide 10s, and the settings say window "
                            + Values.text(other.size()) + " with slide " + Values.text(other.slide()) + ";");
        }
        try (var harness = harness(new WindowSettings(sliding.size(), sliding.slide(), Duration.ofSeconds(9)), state)) {
            harness.processWatermark(Watermark.MAX_WATERMARK);
            assertThat(rows(harness)).hasSize(6);
        }
    }

    @Test
    @DisplayName("go on after a restore, and one that has made its row makes no second one")
    void restores() throws Exception {
        OperatorSubtaskState state;
        Reading first = Samples.reading("a", 1, 500);
        Reading open = Samples.reading("a", 2, 1500);
        try (var harness = harness(TUMBLING, null)) {
            send(harness, TUMBLING, first, open);
            harness.processWatermark(new Watermark(1000));
            assertThat(rows(harness)).hasSize(1);
            state = harness.snapshot(1, 1);
        }
        try (var harness = harness(TUMBLING, state)) {
            SlicePartial late = Samples.partial(TUMBLING, Samples.reading("a", 3, 600));
            late.ifClosed = new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, 3), 600, new byte[0]);
            harness.processElement(new StreamRecord<>(late));
            Reading more = Samples.reading("a", 4, 1600);
            send(harness, TUMBLING, more);
            harness.processWatermark(new Watermark(5000));
            assertThat(rows(harness)).containsExactly(new DeviceWindow("a", 1000, 2000, Samples.of(open, more)));
            assertThat(harness.getSideOutput(WindowedAggregation.DEAD_LETTERS))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(late.ifClosed);
        }
    }

    /** A source that was idle counts again for one subtask and is behind for the other: they are apart at the checkpoint. */
    @Test
    @DisplayName("that are closed stay so for devices that come from a subtask which was ahead, at another parallelism")
    void rescales() throws Exception {
        OperatorSubtaskState both;
        try (var behind = harness(TUMBLING, null, 2, 0);
                var ahead = harness(TUMBLING, null, 2, 1)) {
            behind.processWatermark(new Watermark(999));
            ahead.processWatermark(new Watermark(1999));
            both = AbstractStreamOperatorTestHarness.repackageState(behind.snapshot(1, 1), ahead.snapshot(1, 1));
        }
        for (int subtask = 0; subtask < 3; subtask++) {
            OperatorSubtaskState own =
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(both, 128, 2, 3, subtask);
            try (var harness = harness(TUMBLING, own, 3, subtask)) {
                assertThat(lateOf(harness, 3, subtask, 1500, 2500))
                        .as("subtask " + subtask + " of 3")
                        .containsExactly(1500L);
            }
        }
        for (int subtask = 0; subtask < 2; subtask++) {
            OperatorSubtaskState own =
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(both, 128, 2, 2, subtask);
            try (var harness = harness(TUMBLING, own, 2, subtask)) {
                assertThat(lateOf(harness, 2, subtask, 500, 1500, 2500))
                        .as("subtask " + subtask + " of 2")
                        .containsExactly(subtask == 0 ? new Long[] {500L} : new Long[] {500L, 1500L});
            }
        }
    }

    /** Those of {@code eventTimes} that are late for a device of that subtask. */
    private static List<Long> lateOf(
            KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow> harness,
            int parallelism,
            int subtask,
            long... eventTimes)
            throws Exception {
        String device = IntStream.range(0, 1000)
                .mapToObj(Integer::toString)
                .filter(id -> KeyGroupRangeAssignment.assignKeyToParallelOperator(id, 128, parallelism) == subtask)
                .findFirst()
                .orElseThrow();
        for (long eventTime : eventTimes) {
            SlicePartial partial = Samples.partial(TUMBLING, Samples.reading(device, 1, eventTime));
            partial.ifClosed = new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, 1), eventTime, new byte[0]);
            harness.processElement(new StreamRecord<>(partial));
        }
        return harness.getSideOutput(WindowedAggregation.DEAD_LETTERS).stream()
                .map(letter -> letter.getValue().eventTime())
                .toList();
    }

    private static void send(
            KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow> harness,
            WindowSettings window,
            Reading... readings)
            throws Exception {
        for (Reading reading : readings) {
            harness.processElement(new StreamRecord<>(Samples.partial(window, reading)));
        }
    }

    private static List<DeviceWindow> rows(
            KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow> harness) {
        return harness.extractOutputValues();
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow> harness(
            WindowSettings window, OperatorSubtaskState state) throws Exception {
        return harness(window, state, 1, 0);
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow> harness(
            WindowSettings window, OperatorSubtaskState state, int parallelism, int subtask) throws Exception {
        var harness = new KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow>(
                new SliceWindows(Samples.settings(window)),
                partial -> partial.deviceId,
                Types.STRING,
                128,
                parallelism,
                subtask);
        harness.setup(DeviceWindowSerializer.INSTANCE);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }
}
