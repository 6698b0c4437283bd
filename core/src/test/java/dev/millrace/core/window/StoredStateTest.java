package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.settings.WindowSettings;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Snapshots of both operators, as a release of the job has left them in a savepoint. Whoever changes what a snapshot holds keeps
 * these files and adds one of the new version: a file that is not there fails its test, which then has written it to
 * {@code core/target/stored}.
 */
@DisplayName("State that an earlier release has stored")
@SuppressWarnings("try") // the harness's close() may be interrupted
class StoredStateTest {
    private static final WindowSettings WINDOW =
            new WindowSettings(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ZERO);
    private static final Path WRITTEN = Path.of("target", "stored");

    private static final Reading FIRST = Samples.reading("a", 1, 500);
    private static final Reading SECOND = Samples.reading("a", 2, 600);
    private static final Reading OTHER = Samples.reading("gerät", 7, 1500);
    private static final Reading LATER = Samples.reading("a", 3, 2500);

    @Test
    @DisplayName("of open windows gives every row with the readings of before and after")
    void windows() throws Exception {
        for (int version = 1; version <= 3; version++) {
            restoresWindows("windows-v" + version + ".bin");
        }
    }

    private static void restoresWindows(String file) throws Exception {
        OperatorSubtaskState state = stored(file, () -> {
            try (var harness = windows(null)) {
                for (Reading reading : List.of(FIRST, SECOND, OTHER)) {
                    harness.processElement(new StreamRecord<>(Samples.partial(WINDOW, reading)));
                }
                harness.processWatermark(new Watermark(1000));
                return harness.snapshot(1, 1);
            }
        });
        try (var harness = windows(state)) {
            harness.processElement(new StreamRecord<>(Samples.partial(WINDOW, LATER)));
            SlicePartial late = Samples.partial(WINDOW, FIRST);
            late.ifClosed = new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, 9), FIRST.eventTime, new byte[0]);
            harness.processElement(new StreamRecord<>(late));
            assertThat(harness.getSideOutput(WindowedAggregation.DEAD_LETTERS))
                    .as(file)
                    .extracting(StreamRecord::getValue)
                    .containsExactly(late.ifClosed);
            harness.processWatermark(Watermark.MAX_WATERMARK);
            // The window that ends at 1000 was made by the release that stopped.
            assertThat(harness.extractOutputValues())
                    .as(file)
                    .containsExactlyInAnyOrder(
                            new DeviceWindow("a", -1000, 2000, Samples.of(FIRST, SECOND)),
                            new DeviceWindow("a", 0, 3000, Samples.of(FIRST, SECOND, LATER)),
                            new DeviceWindow("a", 1000, 4000, Samples.of(LATER)),
                            new DeviceWindow("a", 2000, 5000, Samples.of(LATER)),
                            new DeviceWindow("gerät", -1000, 2000, Samples.of(OTHER)),
                            new DeviceWindow("gerät", 0, 3000, Samples.of(OTHER)),
                            new DeviceWindow("gerät", 1000, 4000, Samples.of(OTHER)));
        }
    }

    @Test
    @DisplayName("of the decoder says up to where windows are closed")
    void decoder() throws Exception {
        for (int version = 1; version <= 2; version++) {
            restoresDecoder("decoder-v" + version + ".bin");
        }
    }

    private static void restoresDecoder(String file) throws Exception {
        OperatorSubtaskState state = stored(file, () -> {
            try (var harness = decoder(null)) {
                harness.processElement(new StreamRecord<>(Samples.chunk(0, 0, List.of(FIRST))));
                harness.processWatermark(new Watermark(999));
                return harness.snapshot(1, 1);
            }
        });
        try (var harness = decoder(state)) {
            harness.processElement(new StreamRecord<>(Samples.chunk(0, 1, List.of(SECOND, OTHER))));
            harness.processWatermark(new Watermark(1999));
            assertThat(harness.extractOutputValues())
                    .extracting(partial -> partial.deviceId)
                    .containsExactly("gerät");
            assertThat(harness.getSideOutput(WindowedAggregation.DEAD_LETTERS))
                    .extracting(letter -> letter.getValue().reason())
                    .containsExactly(DeadLetter.Reason.LATE);
        }
    }

    private interface Now {
        OperatorSubtaskState snapshot() throws Exception;
    }

    private static OperatorSubtaskState stored(String file, Now now) throws Exception {
        URL found = StoredStateTest.class.getResource(file);
        if (found == null) {
            Path written = Files.createDirectories(WRITTEN).resolve(file).toAbsolutePath();
            OperatorSnapshotUtil.writeStateHandle(now.snapshot(), written.toString());
            throw new AssertionError(file + " is not there; what this release stores is in " + written);
        }
        return OperatorSnapshotUtil.readStateHandle(Path.of(found.toURI()).toString());
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow> windows(
            OperatorSubtaskState state) throws Exception {
        var harness = new KeyedOneInputStreamOperatorTestHarness<String, SlicePartial, DeviceWindow>(
                new SliceWindows(Samples.settings(WINDOW)), partial -> partial.deviceId, Types.STRING, 128, 1, 0);
        harness.setup(DeviceWindowSerializer.INSTANCE);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }

    private static OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial> decoder(OperatorSubtaskState state)
            throws Exception {
        var harness =
                new OneInputStreamOperatorTestHarness<PayloadChunk, SlicePartial>(Samples.decoder(WINDOW), 128, 1, 0);
        harness.setup(SlicePartialSerializer.INSTANCE);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }
}
