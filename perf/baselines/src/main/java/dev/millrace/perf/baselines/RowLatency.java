package dev.millrace.perf.baselines;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.core.window.DeviceWindow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Chained behind the windows: how long after its due time each row left them. A row is due when a generator that keeps its schedule
 * sends the first reading that moves the watermark past the window's end: the end and the out-of-orderness, by the clock. So what the
 * broker and the watermark's own interval take is in it, alike for every job. Counted in this process, in steps of 0.1 ms.
 */
final class RowLatency implements Sink<DeviceWindow> {
    private static final long serialVersionUID = 1;
    private static final long STEP_MICROS = 100;
    /** Up to 60 s; what takes longer is counted as that. */
    private static final int STEPS = 600_000;

    private static final AtomicLongArray COUNTS = new AtomicLongArray(STEPS);
    private static final AtomicLong NEWEST_END = new AtomicLong(Long.MIN_VALUE);
    private static volatile long lastMicros = Long.MAX_VALUE;
    private static volatile long countFrom = Long.MAX_VALUE;
    private static volatile long countTo = Long.MIN_VALUE;

    private final long outOfOrdernessMillis;

    RowLatency(long outOfOrdernessMillis) {
        this.outOfOrdernessMillis = outOfOrdernessMillis;
    }

    /** Forgets what was counted, and counts rows that are due from {@code from} on and before {@code to}, epoch milliseconds, whenever they come. */
    static void countDue(long from, long to) {
        countFrom = Long.MAX_VALUE;
        for (int i = 0; i < STEPS; i++) {
            COUNTS.set(i, 0);
        }
        countTo = to;
        countFrom = from;
    }

    /** As if no row had come yet. */
    static void begin() {
        lastMicros = Long.MAX_VALUE;
        NEWEST_END.set(Long.MIN_VALUE);
    }

    /** Epoch milliseconds: the latest end of a window whose row came, of all subtasks; the least long before the first. */
    static long newestEnd() {
        return NEWEST_END.get();
    }

    /** How late the newest row was; the greatest long before the first. */
    static long lastMicros() {
        return lastMicros;
    }

    /** Rows and percentiles, milliseconds. */
    static void write(ObjectNode result) {
        long rows = 0;
        for (int i = 0; i < STEPS; i++) {
            rows += COUNTS.get(i);
        }
        result.put("rows", rows);
        result.put("p50Millis", quantile(rows, 0.5));
        result.put("p99Millis", quantile(rows, 0.99));
        result.put("maxMillis", quantile(rows, 1));
    }

    /** The upper end of the step that the row of that rank is in. */
    private static double quantile(long rows, double quantile) {
        long rank = (long) Math.ceil(rows * quantile);
        long seen = 0;
        for (int i = 0; i < STEPS; i++) {
            seen += COUNTS.get(i);
            if (seen >= rank && seen > 0) {
                return (i + 1) * STEP_MICROS / 1e3;
            }
        }
        return Double.NaN;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in 1.20, and never called when the other one is there
    public SinkWriter<DeviceWindow> createWriter(InitContext context) {
        throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
    }

    @Override
    public SinkWriter<DeviceWindow> createWriter(WriterInitContext context) {
        return new SinkWriter<>() {
            @Override
            public void write(DeviceWindow row, Context ignored) {
                long due = row.windowEnd() + outOfOrdernessMillis;
                long micros = Math.max(0, nowMicros() - due * 1000);
                lastMicros = micros;
                // Most rows are of a window that another row ended already.
                if (row.windowEnd() > NEWEST_END.get()) {
                    NEWEST_END.accumulateAndGet(row.windowEnd(), Math::max);
                }
                if (due >= countFrom && due < countTo) {
                    COUNTS.incrementAndGet((int) Math.min(STEPS - 1, micros / STEP_MICROS));
                }
            }

            @Override
            public void flush(boolean endOfInput) {}

            @Override
            public void close() {}
        };
    }

    private static long nowMicros() {
        java.time.Instant now = java.time.Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
