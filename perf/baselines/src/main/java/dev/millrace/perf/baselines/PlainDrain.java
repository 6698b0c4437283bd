package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.broker.Brokers;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreSink;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.connectors.testkit.broker.SourceHarness;
import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.DeviceWindow;
import dev.millrace.core.window.PreAggregation;
import dev.millrace.core.window.ReadingBatch;
import dev.millrace.core.window.SlicePartial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.connector.source.Source;

/**
 * The product's reader, decoder and table in a loop: what Flink around them costs is the difference. Partials are kept as they
 * leave the table; only when all readings are through, and the clock has stopped, do they become rows, so that they can be
 * audited. Tumbling windows only.
 */
final class PlainDrain extends LoopDrain {
    private final StackJob job;
    private final List<List<Partial>> partials = new ArrayList<>();

    private record Partial(String deviceId, long sliceEnd, Accumulator values) {}

    private record Key(String deviceId, long sliceEnd) {}

    private PlainDrain(StackJob job) {
        this.job = job;
    }

    static Drain start(StackJob job) {
        PlainDrain drain = new PlainDrain(job);
        int parallelism = job.settings().parallelism();
        for (int i = 0; i < parallelism; i++) {
            int subtask = i;
            Source<PayloadChunk, ?, ?> source =
                    Brokers.named(job.broker()).source(job.brokerOptions(), job.sourceSpec());
            List<Partial> own = new ArrayList<>();
            drain.partials.add(own);
            Loop loop = drain.new Loop(own);
            drain.begin("plain-" + subtask, () -> {
                SourceHarness.drain(source, subtask, parallelism, loop::take);
                loop.table.flush();
                return null;
            });
        }
        return drain;
    }

    /** Merges what the threads gathered and puts the rows into the store. */
    void store() {
        Map<Key, Accumulator> rows = new HashMap<>();
        for (List<Partial> own : partials) {
            for (Partial partial : own) {
                rows.merge(new Key(partial.deviceId, partial.sliceEnd), partial.values, (all, more) -> {
                    all.merge(more);
                    return all;
                });
            }
        }
        long size = job.settings().window().sizeMillis();
        RowBinary.Encoder encoder = new RowBinary.Encoder(1 << 20);
        try (StoreClient store = ResultStores.named(job.store()).connect(job.storeOptions())) {
            store.prepare();
            rows.forEach((key, values) -> {
                encoder.add(new DeviceWindow(key.deviceId, key.sliceEnd - size, key.sliceEnd, values));
                if (encoder.size() >= StoreSink.BLOCK_BYTES) {
                    store.insert(block(encoder, Long.MIN_VALUE));
                }
            });
            store.insert(block(encoder, Long.MAX_VALUE));
        }
    }

    private static StoreBlock block(RowBinary.Encoder encoder, long watermark) {
        int rows = encoder.rows();
        return new StoreBlock(StoreTable.WINDOWS, UUID.randomUUID().toString(), 0, 1, watermark, rows, encoder.take());
    }

    /** What one thread does with its chunks. */
    private final class Loop {
        private final WindowSettings window = job.settings().window();
        private final long sliceMillis = window.sliceMillis();
        private final ReadingDecoder decoder = new ReadingDecoder(job.settings().writerSchema());
        private final ReadingBatch batch = new ReadingBatch();
        private final PreAggregation table;
        private final Map<Integer, Long> maxEventTimes = new HashMap<>();

        private Loop(List<Partial> out) {
            table = new PreAggregation(job.settings().preAggregationBytes(), partial -> out.add(copy(partial)));
        }

        private static Partial copy(SlicePartial partial) {
            return new Partial(partial.deviceId, partial.sliceEnd, partial.values.copy());
        }

        private void take(PayloadChunk chunk) {
            long max = maxEventTimes.getOrDefault(chunk.partition(), Long.MIN_VALUE);
            long sliceEnd = Long.MIN_VALUE + sliceMillis;
            DecodedReadings run = batch.decoded();
            for (int first = 0; first < chunk.count(); ) {
                int count = decoder.decode(chunk, first, run);
                for (int row = 0; row < count; row++) {
                    if (run.isUndecodable(row)) {
                        throw new IllegalStateException("a payload of the generator cannot be decoded");
                    }
                    DecodedReading reading = run.get(row);
                    long eventTime = reading.eventTime();
                    max = Math.max(max, eventTime);
                    if (eventTime < sliceEnd - sliceMillis || eventTime >= sliceEnd) {
                        sliceEnd = Math.floorDiv(eventTime, sliceMillis) * sliceMillis + sliceMillis;
                    }
                    batch.take(reading, sliceEnd);
                }
                table.add(batch);
                first += count;
            }
            readings.add(chunk.count());
            maxEventTimes.put(chunk.partition(), max);
            long least = maxEventTimes.values().stream()
                    .mapToLong(Long::longValue)
                    .min()
                    .orElse(Long.MIN_VALUE);
            if (least != Long.MIN_VALUE) {
                table.flushClosed(least - window.outOfOrderness().toMillis() - 1);
            }
        }
    }
}
