package dev.millrace.perf.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowTallyTest {
    private final RowTally tally = new RowTally(6);

    private static byte[] row(String device, long end) {
        RowBinary.Encoder encoder = new RowBinary.Encoder(0);
        encoder.add(new DeviceWindow(device, end - 1_000, end, new Accumulator()));
        return encoder.take();
    }

    private static PayloadChunk chunk(byte[]... rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] ends = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            bytes.writeBytes(rows[i]);
            ends[i] = bytes.size();
        }
        return new PayloadChunk(
                0, rows.length, bytes.toByteArray(), ends, new long[rows.length], 0, new long[rows.length], true);
    }

    private static RowDigests stored(List<byte[]> rows) {
        RowDigests digests = new RowDigests();
        rows.forEach(row -> digests.add(row, 0, row.length));
        return digests;
    }

    @Test
    void aBurstLastsFromItsFirstRowToItsLast() {
        tally.add(chunk(row("a", 5_000), row("a", 6_000)), 100);
        tally.add(chunk(row("b", 5_000)), 250);
        tally.add(chunk(row("c", 5_000), row("b", 6_000)), 400);
        assertThat(tally.burst(5_000, stored(List.of(row("a", 5_000), row("b", 5_000), row("c", 5_000)))))
                .isEqualTo(new ResultRows.Burst(5_000, 3, 100, 400, 0, 0, 0));
        assertThat(tally.burst(6_000, stored(List.of(row("a", 6_000), row("z", 6_000)))))
                .isEqualTo(new ResultRows.Burst(6_000, 2, 100, 400, 1, 1, 0));
        assertThat(tally.count(5_000)).isEqualTo(3);
        assertThat(tally.count()).isEqualTo(5);
        assertThat(tally.rowBytes()).isEqualTo(row("a", 5_000).length);
    }

    @Test
    void rowsOfEarlierWindowsAreCountedAndForgotten() {
        tally.add(chunk(row("a", 4_000), row("a", 5_000)), 100);
        tally.from(5_000);
        tally.add(chunk(row("b", 4_000), row("b", 5_000)), 200);
        assertThat(tally.count(4_000)).isZero();
        assertThat(tally.count(5_000)).isEqualTo(2);
        assertThat(tally.count()).isEqualTo(4);
    }

    @Test
    void moreRowsThanCanBeKeptAreRefused() {
        byte[] row = row("a", 5_000);
        tally.add(chunk(row, row, row, row, row, row), 100);
        assertThatThrownBy(() -> tally.add(chunk(row), 200))
                .isInstanceOf(EnvironmentException.class)
                .hasMessage("more than 6 rows came in one run; take fewer devices or a shorter measured phase");
    }
}
