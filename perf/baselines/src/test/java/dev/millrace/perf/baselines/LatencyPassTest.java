package dev.millrace.perf.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LatencyPassTest {
    private static final WindowSettings WINDOW =
            new WindowSettings(Duration.ofSeconds(60), Duration.ofSeconds(10), Duration.ofSeconds(5));
    /** Of event time: so far ahead of the clock that no row is late, however slow the test is. */
    private static final long END = System.currentTimeMillis() / 60_000 * 60_000 + 3_600_000;

    @BeforeEach
    @AfterEach
    void begin() {
        RowLatency.begin();
    }

    private static void emit(long end) throws IOException, InterruptedException {
        SinkWriter<DeviceWindow> writer = new RowLatency(5000).createWriter((WriterInitContext) null);
        writer.write(new DeviceWindow("d", end - 60_000, end, new Accumulator()), null);
    }

    @Test
    @DisplayName("a job whose last row was in time is behind once the next ones are due and do not come")
    void stopped() throws Exception {
        emit(END);
        // A row of an older window does not make the newest one older.
        emit(END - 10_000);
        assertThat(RowLatency.lastMicros()).isZero();
        assertThat(RowLatency.newestEnd()).isEqualTo(END);
        // The next window ends a slide later, its row is due 5 s after that, and may be late by two.
        assertThat(LatencyPass.isBehind(WINDOW, END + 17_000)).isFalse();
        assertThat(LatencyPass.isBehind(WINDOW, END + 17_001)).isTrue();
        emit(END + 10_000);
        assertThat(LatencyPass.isBehind(WINDOW, END + 17_001)).isFalse();
    }

    @Test
    @DisplayName("a job whose rows come late is behind, and so is one without any")
    void late() throws Exception {
        assertThat(LatencyPass.isBehind(WINDOW, END)).isTrue();
        emit(END - 7_200_000);
        assertThat(LatencyPass.isBehind(WINDOW, END - 7_200_000)).isTrue();
    }

    @Test
    @DisplayName("rows count that are due in the measured time, those that come after it too, and no others")
    void counted() throws Exception {
        RowLatency.countDue(END + 5000, END + 15_000);
        emit(END - 1);
        emit(END);
        emit(END + 9_999);
        emit(END + 10_000);
        ObjectNode result = new ObjectMapper().createObjectNode();
        RowLatency.write(result);
        assertThat(result.get("rows").asLong()).isEqualTo(2);
    }

    @Test
    @DisplayName("the last window that is due in the measured time ends at a slide's end, its out-of-orderness before")
    void lastDue() {
        assertThat(LatencyPass.lastDue(WINDOW, END + 15_000)).isEqualTo(END);
        assertThat(LatencyPass.lastDue(WINDOW, END + 15_001)).isEqualTo(END + 10_000);
    }
}
