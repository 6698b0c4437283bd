package dev.millrace.core.latest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.Position;
import dev.millrace.core.window.DeadLetter;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the latest times keep and send")
class LatestSerializersTest {

    @Test
    @DisplayName("comes back as it was")
    void roundTrips() throws IOException {
        LatestTime row = new LatestTime("gerät-1", "", Long.MAX_VALUE, 1, Long.MIN_VALUE);
        assertThat(again(LatestTimeSerializer.INSTANCE, row)).isEqualTo(row);
        assertThat(again(SeenSerializer.INSTANCE, new Seen(-1, 7))).isEqualTo(new Seen(-1, 7));
        TypedReading reading = new TypedReading();
        reading.deviceId = "x".repeat(10_000);
        reading.eventType = "offen";
        reading.eventTime = 5;
        reading.sliceEnd = 10;
        assertThat(again(TypedReadingSerializer.INSTANCE, reading))
                .usingRecursiveComparison()
                .isEqualTo(reading);
        reading.ifClosed = new DeadLetter(DeadLetter.Reason.LATE, 1, new Position(2, 3), 4, new byte[] {5});
        assertThat(again(TypedReadingSerializer.INSTANCE, reading))
                .usingRecursiveComparison()
                .isEqualTo(reading);
    }

    @Test
    @DisplayName("goes on growing after it was read, and a copy is another one")
    void openSlice() throws IOException {
        OpenSlice slice = new OpenSlice();
        assertThat(again(OpenSliceSerializer.INSTANCE, slice).count()).isZero();
        for (int i = 0; i < 1000; i++) {
            slice.add("type-" + i % 300, i);
            if (i % 100 == 0) {
                OpenSlice copy = OpenSliceSerializer.INSTANCE.copy(slice);
                copy.add("another", 1);
                slice = again(OpenSliceSerializer.INSTANCE, slice);
            }
        }
        assertThat(slice.count()).isEqualTo(300);
        for (int i = 0; i < 300; i++) {
            assertThat(slice.type(i)).isEqualTo("type-" + i);
            assertThat(slice.latest(i)).isEqualTo(i < 100 ? 900 + i : 600 + i);
            assertThat(slice.readings(i)).isEqualTo(i < 100 ? 4 : 3);
        }
    }

    @Test
    @DisplayName("is in state the bytes that it was in the first release")
    void bytes() throws IOException {
        OpenSlice slice = new OpenSlice();
        slice.add("open", 256);
        assertThat(hex(OpenSliceSerializer.INSTANCE, slice))
                .isEqualTo("00000001" + "056f70656e" + "0000000000000100" + "0000000000000001");
        assertThat(hex(SeenSerializer.INSTANCE, new Seen(256, 2))).isEqualTo("0000000000000100" + "0000000000000002");
    }

    private static <T> T again(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(value, out);
        DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
        T read = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        return read;
    }

    private static <T> String hex(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(value, out);
        return HexFormat.of().formatHex(out.getCopyOfBuffer());
    }
}
