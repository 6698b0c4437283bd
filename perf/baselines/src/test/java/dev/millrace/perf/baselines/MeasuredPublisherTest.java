package dev.millrace.perf.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.testkit.baseline.StoredReceipts;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MeasuredPublisherTest {
    private final AtomicLong millis = new AtomicLong(1_000);
    private final PublishMeter meter = new PublishMeter(() -> millis.get() * 1_000_000);
    private final Full full = new Full();
    private final MeasuredPublisher publisher = new MeasuredPublisher(full, meter);
    private final AtomicInteger stored = new AtomicInteger();
    private final StoredReceipts books = new StoredReceipts(position -> stored.incrementAndGet());

    @Test
    @DisplayName(
            "every receipt is counted and handed on, one of three is timed, from the first offer of what had to wait")
    void oneOfThree() {
        meter.expect(6, 3, Duration.ofMillis(1), Duration.ZERO);
        for (int i = 0; i < 6; i++) {
            full.refuses = true;
            assertThat(offer()).isFalse();
            millis.addAndGet(100);
            full.refuses = false;
            assertThat(offer()).isTrue();
            millis.addAndGet(5);
            full.answer();
        }
        assertThat(stored).hasValue(6);
        assertThat(meter.await(Duration.ZERO)).isTrue();
        assertThat(meter.latencyMicros().getTotalCount()).isEqualTo(2);
        assertThat(meter.latencyMicros().getMinValue()).isBetween(104_900L, 105_100L);
        assertThat(new HashSet<>(full.taken))
                .as("who offers with one receipt costs no other for each payload")
                .hasSize(3);
    }

    private boolean offer() {
        return publisher.offer(new byte[1], new byte[1], 0, books);
    }

    /** A publisher that answers when it is told to. */
    private static final class Full implements Publisher {
        private final List<Receipt> taken = new ArrayList<>();
        private boolean refuses;

        @Override
        public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
            if (!refuses) {
                taken.add(receipt);
            }
            return !refuses;
        }

        private void answer() {
            taken.get(taken.size() - 1).stored(0, new Position(0, 0));
        }

        @Override
        public boolean flush(Duration timeout) {
            return true;
        }

        @Override
        public int largestPayloadBytes() {
            return 1;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
