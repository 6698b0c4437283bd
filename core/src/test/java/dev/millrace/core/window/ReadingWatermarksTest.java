package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.PayloadChunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A partition's watermark")
class ReadingWatermarksTest {
    private long nowMillis = 1_000_000;
    private final List<String> said = new ArrayList<>();
    private final ReadingWatermarks watermarks =
            new ReadingWatermarks(Duration.ofSeconds(5), Duration.ofMinutes(2), () -> nowMillis);
    private final WatermarkOutput output = new WatermarkOutput() {
        @Override
        public void emitWatermark(Watermark watermark) {
            said.add(Long.toString(watermark.getTimestamp()));
        }

        @Override
        public void markIdle() {
            said.add("idle");
        }

        @Override
        public void markActive() {
            said.add("active");
        }
    };

    @Test
    @DisplayName("is the greatest event time less the out-of-orderness, and says nothing before the first reading")
    void followsReadings() {
        assertThat(tick()).isNull();
        data(100_000);
        assertThat(tick()).isEqualTo("94999");
        data(90_000);
        assertThat(tick()).isEqualTo("94999");
    }

    @Test
    @DisplayName("is idle when the end was confirmed again and again for idleAfter")
    void idlesWhenConfirmed() {
        data(100_000);
        for (int second = 0; second < 120; second++) {
            confirm();
            assertThat(tick()).isEqualTo("94999");
            nowMillis += 1000;
        }
        confirm();
        assertThat(tick()).isEqualTo("idle");
    }

    @Test
    @DisplayName("is not idle when the broker falls silent, however long")
    void silenceIsNotIdleness() {
        data(100_000);
        confirm();
        for (int minute = 0; minute < 60; minute++) {
            nowMillis += 60_000;
            assertThat(tick()).isEqualTo("94999");
        }
        confirm();
        assertThat(tick()).as("a confirmation after a gap begins anew").isEqualTo("94999");
    }

    @Test
    @DisplayName("holds back again when an idle partition's broker falls silent, or a reading comes")
    void idlenessEnds() {
        data(100_000);
        becomeIdle();
        nowMillis += 11_000;
        assertThat(tick()).isEqualTo("94999");
        assertThat(said.get(said.size() - 2)).isEqualTo("active");
        becomeIdle();
        data(200_000);
        assertThat(said.get(said.size() - 1)).isEqualTo("active");
        assertThat(tick()).isEqualTo("194999");
    }

    @Test
    @DisplayName("is idle where nothing comes but what moves no watermark, such as payloads that are no readings")
    void payloadsThatAreNoReadings() {
        data(100_000);
        becomeIdle();
        PayloadChunk strange = Samples.chunk(0, 1, List.of(Samples.reading("d", 0, 200_000)));
        strange.maxEventTime(Long.MIN_VALUE);
        watermarks.onEvent(strange, 0, output);
        assertThat(tick()).isEqualTo("idle");
    }

    @Test
    @DisplayName("goes on being idle, with the first confirmation, after a time in which the broker was not asked")
    void notAsked() {
        data(100_000);
        becomeIdle();
        nowMillis += 300_000;
        assertThat(tick()).as("nobody knows").isEqualTo("94999");
        confirm(nowMillis - 299_000, true);
        assertThat(tick()).as("what was asked when the wait began").isEqualTo("94999");
        confirm(true);
        assertThat(tick()).isEqualTo("idle");
    }

    @Test
    @DisplayName("comes no nearer to being idle in a time in which the broker was not asked")
    void notAskedCountsNeitherWay() {
        data(100_000);
        confirm();
        for (int second = 0; second < 119; second++) {
            nowMillis += 1000;
            confirm(true);
        }
        nowMillis += 300_000;
        confirm(true);
        assertThat(tick()).isEqualTo("94999");
        nowMillis += 1000;
        confirm(true);
        assertThat(tick()).isEqualTo("idle");
    }

    @Test
    @DisplayName("is not kept from being idle by an older confirmation that came later")
    void olderConfirmation() {
        PayloadChunk last = new PayloadChunk(0, 1, new byte[1], new int[] {1}, new long[] {0}, 0, new long[] {0}, true);
        last.maxEventTime(100_000);
        watermarks.onEvent(last, 0, output);
        confirm(nowMillis - 59_000, true);
        for (int second = 0; second < 120; second++) {
            nowMillis += 1000;
            confirm(true);
        }
        assertThat(tick()).isEqualTo("idle");
    }

    private void becomeIdle() {
        for (int second = 0; second <= 121; second++) {
            confirm();
            nowMillis += 1000;
        }
        assertThat(tick()).isEqualTo("idle");
    }

    private void data(long eventTime) {
        PayloadChunk chunk = Samples.chunk(0, 0, List.of(Samples.reading("d", 0, eventTime)));
        chunk.maxEventTime(eventTime);
        watermarks.onEvent(chunk, 0, output);
    }

    private void confirm() {
        confirm(false);
    }

    private void confirm(boolean unbroken) {
        confirm(nowMillis, unbroken);
    }

    private void confirm(long askedMillis, boolean unbroken) {
        watermarks.onEvent(
                PayloadChunk.confirmedEnd(0, Duration.ofMillis(askedMillis).toNanos(), unbroken), 0, output);
    }

    private String tick() {
        watermarks.onPeriodicEmit(output);
        return said.isEmpty() ? null : said.get(said.size() - 1);
    }
}
