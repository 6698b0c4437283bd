package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.WindowSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What crosses Flink")
class SerializersTest {
    private static final DeadLetter LETTER =
            new DeadLetter(DeadLetter.Reason.UNDECODABLE, 3, new Position(7, 9), 1234, new byte[] {1, 2, 3});

    private static final Map<String, TypeSerializer<?>> SERIALIZERS = Map.of(
            "accumulator", new AccumulatorSerializer(),
            "device-window", DeviceWindowSerializer.INSTANCE,
            "dead-letter", DeadLetterSerializer.INSTANCE,
            "slice-partial", SlicePartialSerializer.INSTANCE,
            "slice-partial-single", SlicePartialSerializer.INSTANCE);

    @Test
    @DisplayName("comes back as it was, of one reading and of many, empty, with -0.0, infinity and NaN")
    void roundTrips() throws IOException {
        Accumulator minusZero = Samples.of(Samples.reading("d", 0, 0));
        Accumulator notANumber = Samples.of(Samples.reading("d", 1, 0), Samples.reading("d", 2, 0));
        notANumber.sum[3] = Double.NaN;
        Accumulator large = Samples.of(Samples.reading("d", 5, 0), Samples.reading("d", 6, 0));
        large.readings = 1L << 32;
        Accumulator manyOfOneStatus = Samples.of(Samples.reading("d", 5, 0));
        manyOfOneStatus.statusReadings[2] = 1 << 16;
        Accumulator largest = Samples.of(Samples.reading("d", Long.MIN_VALUE, 0), Samples.reading("d", 1, 0));
        largest.statusReadings[0] = (1 << 16) - 1;
        largest.errorCount = (1L << 32) - 1;
        largest.packetsReceived = (1L << 32) - 1;
        Accumulator shortest = Samples.of(Samples.reading("d", Long.MAX_VALUE, 0));
        shortest.errorCount = (1L << 32) - 1;
        shortest.bytesSent = (1L << 32) - 1;
        shortest.statusReadings[3] = (1 << 16) - 1;
        shortest.packetsSent = (1L << 32) - 1;
        Accumulator negative = Samples.of(Samples.reading("d", 5, 0));
        negative.bytesReceived = -1;
        for (Accumulator values : List.of(
                new Accumulator(),
                minusZero,
                Samples.of(Samples.reading("d", 5, 0)),
                Samples.of(Samples.reading("d", 5, 0), Samples.reading("d", 6, 0)),
                notANumber,
                large,
                manyOfOneStatus,
                largest,
                shortest,
                negative)) {
            assertThat(again(new AccumulatorSerializer(), values)).isEqualTo(values);
            DeviceWindow window = new DeviceWindow("gerät-1", -1000, 0, values);
            assertThat(again(DeviceWindowSerializer.INSTANCE, window)).isEqualTo(window);
        }
        assertThat(again(DeadLetterSerializer.INSTANCE, LETTER)).isEqualTo(LETTER);
        SlicePartial partial = new SlicePartial();
        partial.deviceId = "x".repeat(100_000);
        partial.sliceEnd = 77;
        partial.values = minusZero;
        assertThat(again(SlicePartialSerializer.INSTANCE, partial))
                .usingRecursiveComparison()
                .isEqualTo(partial);
        partial.ifClosed = LETTER;
        assertThat(again(SlicePartialSerializer.INSTANCE, partial))
                .usingRecursiveComparison()
                .isEqualTo(partial);
    }

    @Test
    @DisplayName("is refused when it is a chunk: the decoder must be chained to the source")
    void refusesChunks() {
        PayloadChunk chunk = PayloadChunk.confirmedEnd(1, 0, false);
        assertThat(PayloadChunkSerializer.INSTANCE.copy(chunk)).isSameAs(chunk);
        assertThatThrownBy(() -> again(PayloadChunkSerializer.INSTANCE, chunk)).hasMessageContaining("not chained");
    }

    @Test
    @DisplayName("is read from the bytes of every version, by the snapshot of that version")
    void readsEveryVersion() throws IOException {
        StringBuilder missing = new StringBuilder();
        for (String name : SERIALIZERS.keySet()) {
            int current = SERIALIZERS.get(name).snapshotConfiguration().getCurrentVersion();
            for (int version = 1; version <= current; version++) {
                requireReads(name, version, missing);
            }
        }
        // The bytes of the current version, to be put into a file; those of an earlier one are in that release's own
        // files.
        assertThat(missing.toString()).as("stored bytes that are not there").isEmpty();
    }

    private static void requireReads(String name, int version, StringBuilder missing) throws IOException {
        String file = name + "-v" + version + ".hex";
        try (InputStream in = SerializersTest.class.getResourceAsStream(file)) {
            if (in == null) {
                byte[] now = stored(SERIALIZERS.get(name), samples().get(name));
                missing.append("MISSING " + file + " " + HexFormat.of().formatHex(now) + "\n");
                return;
            }
            byte[] old = HexFormat.of().parseHex(new String(in.readAllBytes()).trim());
            assertThat(ByteBuffer.wrap(old).getInt(versionAt(old))).isEqualTo(version);
            assertThat(restored(SERIALIZERS.get(name), old))
                    .as(file)
                    .usingRecursiveComparison()
                    .isEqualTo(samples().get(name));
        }
    }

    @Test
    @DisplayName("is refused when a newer release has written it, and the sentence names both versions")
    void refusesNewerVersions() throws IOException {
        Map<String, Object> samples = samples();
        for (String name : samples.keySet()) {
            byte[] newer = stored(SERIALIZERS.get(name), samples.get(name));
            ByteBuffer bytes = ByteBuffer.wrap(newer);
            int version = bytes.getInt(versionAt(newer));
            bytes.putInt(versionAt(newer), version + 1);
            assertThatThrownBy(() -> restored(SERIALIZERS.get(name), newer))
                    .as(name)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("version " + (version + 1))
                    .hasMessageContaining("to version " + version)
                    .hasMessageContaining("a newer release");
        }
    }

    /** Behind the name of the snapshot's class, which begins with its length. */
    private static int versionAt(byte[] stored) {
        return Short.BYTES + ByteBuffer.wrap(stored).getShort(0);
    }

    private static Map<String, Object> samples() {
        SlicePartial merged = new SlicePartial();
        merged.deviceId = "device-1";
        merged.sliceEnd = 1000;
        merged.values = Samples.of(Samples.reading("device-1", 5, 0), Samples.reading("device-1", 6, 0));
        SlicePartial single = Samples.partial(
                WindowSettings.tumbling(Duration.ofSeconds(1), Duration.ZERO), Samples.reading("gerät", 8, 12));
        single.ifClosed = LETTER;
        return Map.of(
                "accumulator",
                Samples.of(Samples.reading("d", 5, 0), Samples.reading("d", 6, 0)),
                "device-window",
                new DeviceWindow("device-1", 0, 1000, Samples.of(Samples.reading("device-1", 8, 12))),
                "dead-letter",
                LETTER,
                "slice-partial",
                merged,
                "slice-partial-single",
                single);
    }

    private static <T> T again(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(serializer.copy(value), out);
        DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
        T read = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        return read;
    }

    private static <T> byte[] stored(TypeSerializer<T> serializer, Object value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
        @SuppressWarnings("unchecked")
        T typed = (T) value;
        serializer.serialize(typed, out);
        return out.getCopyOfBuffer();
    }

    private static <T> T restored(TypeSerializer<T> serializer, byte[] bytes) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        TypeSerializerSnapshot<T> old =
                TypeSerializerSnapshot.readVersionedSnapshot(in, SerializersTest.class.getClassLoader());
        assertThat(serializer
                        .snapshotConfiguration()
                        .resolveSchemaCompatibility(old)
                        .isCompatibleAsIs())
                .isTrue();
        return old.restoreSerializer().deserialize(in);
    }
}
