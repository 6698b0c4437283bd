package dev.millrace.core.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SingleWriterLongTest {
    private static final int COUNT = 1_000_000;

    @Test
    void itIsWhatWasSetAndOneMoreWithEachIncrement() {
        SingleWriterLong number = new SingleWriterLong();
        assertThat(number.get()).isZero();
        number.set(41);
        number.increment();
        assertThat(number.get()).isEqualTo(42);
    }

    @Test
    @Timeout(30)
    void whoReadsTheNumberSeesWhatWasWrittenBeforeIt() throws InterruptedException {
        SingleWriterLong written = new SingleWriterLong();
        long[] cells = new long[COUNT];
        Thread writer = new Thread(() -> {
            for (int i = 0; i < COUNT; i++) {
                cells[i] = i + 1;
                written.increment();
            }
        });
        writer.start();
        long wrong = 0;
        for (long seen = written.get(); seen < COUNT; seen = written.get()) {
            if (seen > 0 && cells[(int) seen - 1] != seen) {
                wrong++;
            }
        }
        writer.join();
        assertThat(wrong).isZero();
        assertThat(written.get()).isEqualTo(COUNT);
    }
}
