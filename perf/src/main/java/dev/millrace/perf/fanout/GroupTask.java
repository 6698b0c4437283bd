package dev.millrace.perf.fanout;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** One reader group: decodes every reading as an application would, and reports its position after every poll. */
final class GroupTask extends Task {
    /** Beyond this a latency counts as this much. */
    private static final long MOST_MICROS = TimeUnit.HOURS.toMicros(1);

    private static final int DIGITS = 3;
    private static final long PAUSE_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BrokerClient client;
    private final Order order;
    private final Intake intake;
    private final Recorder latencies = new Recorder(MOST_MICROS, DIGITS);
    private final Recorder commits = new Recorder(MOST_MICROS, DIGITS);
    private long nextNanos = System.nanoTime();

    /**
     * What a group is to do.
     *
     * @param from where it begins; partitions that are not named begin at their oldest record
     * @param ratePerSecond at most so many readings; 0: as they come
     * @param waits whether it waits for the broker at each commit
     */
    record Order(String topic, String group, Map<Integer, Position> from, long ratePerSecond, boolean waits) {}

    GroupTask(BrokerClient client, Order order) {
        super(order.group());
        this.client = client;
        this.order = order;
        this.intake = new Intake(order.topic(), order.from());
    }

    @Override
    void read() {
        try (GroupReader reader = client.groupReader(order.topic(), order.group(), new StartFrom.At(order.from()))) {
            while (!isStopping() && !intake.isAtEnd()) {
                List<PayloadChunk> chunks = reader.poll();
                if (!chunks.isEmpty()) {
                    begun();
                }
                if (order.ratePerSecond() == 0) {
                    takeAll(chunks, reader);
                } else {
                    // Chunk by chunk: one poll may hold more than it reads in seconds.
                    chunks.forEach(chunk -> takeAll(List.of(chunk), reader));
                }
                intake.note();
            }
        }
    }

    private void takeAll(List<PayloadChunk> chunks, GroupReader reader) {
        boolean some = false;
        for (PayloadChunk chunk : chunks) {
            for (int i = 0; i < chunk.count(); i++) {
                if (isStopping() || order.ratePerSecond() > 0 && !isDue()) {
                    return;
                }
                take(chunk, i);
                some = true;
            }
        }
        intake.taken(chunks);
        if (some) {
            commit(reader);
        }
    }

    private void take(PayloadChunk chunk, int i) {
        DecodedReading reading = intake.take(chunk, i);
        long micros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) - reading.intendedSendTime();
        latencies.recordValue(Math.max(0, Math.min(MOST_MICROS, micros)));
    }

    /** Waits for the next reading's turn; false when it is to stop. */
    private boolean isDue() {
        long now = System.nanoTime();
        nextNanos = Math.max(nextNanos, now - TimeUnit.SECONDS.toNanos(1));
        for (; now < nextNanos && !isStopping(); now = System.nanoTime()) {
            LockSupport.parkNanos(Math.min(PAUSE_MOST_NANOS, nextNanos - now));
            intake.note();
        }
        nextNanos += TimeUnit.SECONDS.toNanos(1) / order.ratePerSecond();
        return !isStopping();
    }

    private void commit(GroupReader reader) {
        long begin = System.nanoTime();
        if (order.waits()) {
            reader.commit(intake.last());
        } else {
            reader.commitLater(intake.last());
        }
        commits.recordValue(Math.min(MOST_MICROS, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin)));
    }

    @Override
    void until(Map<Integer, Position> ends) {
        intake.until(ends);
    }

    @Override
    Map<String, String> look() {
        Map<String, String> look = new TreeMap<>(intake.counts());
        Histogram latency = latencies.getIntervalHistogram();
        look.put("p50-micros-since-look", Long.toString(latency.getValueAtPercentile(50)));
        look.put("p99-micros-since-look", Long.toString(latency.getValueAtPercentile(99)));
        Histogram commit = commits.getIntervalHistogram();
        look.put("commits-since-look", Long.toString(commit.getTotalCount()));
        look.put("commit-p50-micros-since-look", Long.toString(commit.getValueAtPercentile(50)));
        return look;
    }
}
