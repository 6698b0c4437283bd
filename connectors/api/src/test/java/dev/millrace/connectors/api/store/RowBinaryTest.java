package dev.millrace.connectors.api.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.Position;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Row binary")
class RowBinaryTest {

    static DeviceWindow window(String device, long end) {
        Accumulator values = new Accumulator();
        values.readings = 7;
        values.firstSequence = 0;
        values.lastSequence = 6;
        for (int i = 0; i < values.min.length; i++) {
            values.min[i] = -1000.0 - i / 1024.0;
            values.max[i] = -1.0 / 1024 - i;
            values.sum[i] = -7.0 * i;
        }
        values.errorCount = 3;
        values.packetsSent = Long.MAX_VALUE;
        values.bytesReceived = Long.MIN_VALUE;
        values.statusReadings[3] = 7;
        values.latestIntendedSendTime = 1_700_000_000_000_000L;
        return new DeviceWindow(device, end - 10_000, end, values);
    }

    @Test
    @DisplayName("gives windows back bit for bit, whatever the device is called")
    void windows() throws IOException {
        RowBinary.Encoder encoder = new RowBinary.Encoder(0);
        String longName = "x".repeat(300);
        encoder.add(window("größe-設備-\uD83D\uDE00", 10_000));
        encoder.add(window("", 20_000));
        encoder.add(window(longName, 30_000));
        assertThat(encoder.rows()).isEqualTo(3);
        RowBinary.Decoder decoder = new RowBinary.Decoder(new ByteArrayInputStream(encoder.take()));
        assertThat(decoder.nextWindow()).isEqualTo(window("größe-設備-\uD83D\uDE00", 10_000));
        assertThat(decoder.nextWindow()).isEqualTo(window("", 20_000));
        assertThat(decoder.nextWindow()).isEqualTo(window(longName, 30_000));
        assertThat(decoder.nextWindow()).isNull();
        assertThat(encoder.rows()).isZero();
        assertThat(encoder.size()).isZero();
    }

    @Test
    @DisplayName("tells a window's end without the rest of its row, wherever the row lies")
    void windowEnd() {
        RowBinary.Encoder encoder = new RowBinary.Encoder(0);
        encoder.add(window("x".repeat(300), 30_000));
        int second = encoder.size();
        encoder.add(window("", 20_000));
        byte[] bytes = encoder.take();
        assertThat(RowBinary.windowEnd(bytes, 0, second)).isEqualTo(30_000);
        assertThat(RowBinary.windowEnd(bytes, second, bytes.length)).isEqualTo(20_000);
        byte[] endless = bytes.clone();
        java.util.Arrays.fill(endless, 0, 5, (byte) 0x80);
        assertThatThrownBy(() -> RowBinary.windowEnd(endless, 0, second)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RowBinary.windowEnd(bytes, second, second + 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a row of 16 bytes is no window");
    }

    @Test
    @DisplayName("gives dead letters back with every byte of the payload")
    void deadLetters() throws IOException {
        byte[] payload = new byte[100_000];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
        DeadLetter late = new DeadLetter(DeadLetter.Reason.LATE, 3, new Position(-1, 5), -8, payload);
        DeadLetter broken = new DeadLetter(DeadLetter.Reason.UNDECODABLE, 0, new Position(0, 0), 9, new byte[0]);
        RowBinary.Encoder encoder = new RowBinary.Encoder(0);
        encoder.add(late);
        encoder.add(broken);
        RowBinary.Decoder decoder = new RowBinary.Decoder(new ByteArrayInputStream(encoder.take()));
        assertThat(decoder.nextDeadLetter()).isEqualTo(late);
        assertThat(decoder.nextDeadLetter()).isEqualTo(broken);
        assertThat(decoder.nextDeadLetter()).isNull();
    }

    @Test
    @DisplayName("refuses bytes that end within a row, at every length")
    void cutOff() {
        RowBinary.Encoder encoder = new RowBinary.Encoder(0);
        encoder.add(window("device", 10_000));
        byte[] bytes = encoder.take();
        for (int length = 1; length < bytes.length; length++) {
            RowBinary.Decoder decoder = new RowBinary.Decoder(new ByteArrayInputStream(bytes, 0, length));
            assertThatThrownBy(decoder::nextWindow)
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the bytes end within a row");
        }
    }

    @Test
    @DisplayName("refuses a length that cannot be without making an array of it")
    void impossibleLength() {
        byte[] bytes = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f};
        RowBinary.Decoder decoder = new RowBinary.Decoder(new ByteArrayInputStream(bytes));
        assertThatThrownBy(decoder::nextWindow).isInstanceOf(IOException.class).hasMessageContaining("4294967295");
    }

    @Test
    @DisplayName("has one column for each value, in snake case")
    void columns() {
        assertThat(RowColumns.of(StoreTable.WINDOWS)).hasSize(1 + 5 + 24 + 5 + 4 + 1);
        assertThat(RowColumns.of(StoreTable.WINDOWS))
                .extracting(RowColumns.Column::name)
                .contains("device_id", "signal_strength_max", "status_maintenance");
    }
}
