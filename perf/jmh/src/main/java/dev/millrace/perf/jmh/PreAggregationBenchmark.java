package dev.millrace.perf.jmh;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.reading.UndecodableException;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.PreAggregation;
import dev.millrace.core.window.ReadingBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Decodes chunks and merges their readings; every slice's rows are handed out at its end. An operation is a reading. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ReadingChunks.CHUNK_READINGS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PreAggregationBenchmark {
    private static final long SLICE_MILLIS = 10_000;
    private static final long MEMORY_BYTES = 256L << 20;

    @Param({"1000", "100000", "1000000"})
    public int devices;

    @Param({"10", "100"})
    public int readingsPerRow;

    private PayloadChunk[] chunks;
    private int next;
    private long readingsOfSlice;
    private long sliceEnd;
    private long handedOut;

    private ReadingDecoder decoder;
    private ReadingBatch batch;
    private PreAggregation table;

    private DecodedReading decoded;
    private Reading reading;
    private Map<String, Accumulator> map;

    /** The table has its size when measuring begins. */
    @Setup
    public void setUp() throws UndecodableException {
        chunks = ReadingChunks.of(devices);
        decoder = new ReadingDecoder(null);
        batch = new ReadingBatch();
        table = new PreAggregation(MEMORY_BYTES, partial -> handedOut++);
        decoded = new DecodedReadings().get(0);
        reading = new Reading();
        map = new HashMap<>();
        sliceEnd = SLICE_MILLIS;
        for (int i = 0; i < chunks.length; i++) {
            preAggregate();
        }
    }

    private PayloadChunk next() {
        next = next + 1 == chunks.length ? 0 : next + 1;
        return chunks[next];
    }

    /** Whether the slice is full with those readings. */
    private boolean endsSlice(int readings) {
        readingsOfSlice += readings;
        if (readingsOfSlice < (long) devices * readingsPerRow) {
            return false;
        }
        readingsOfSlice = 0;
        sliceEnd += SLICE_MILLIS;
        return true;
    }

    @Benchmark
    public long preAggregate() {
        PayloadChunk chunk = next();
        for (int first = 0; first < chunk.count(); ) {
            int count = decoder.decode(chunk, first, batch.decoded());
            for (int row = 0; row < count; row++) {
                batch.take(batch.decoded().get(row), sliceEnd);
            }
            table.add(batch);
            first += count;
        }
        if (endsSlice(chunk.count())) {
            table.flushClosed(sliceEnd - SLICE_MILLIS);
        }
        return handedOut;
    }

    /** The same decoder, and an accumulator for each name in a map. */
    @Benchmark
    public long baseline() throws UndecodableException {
        PayloadChunk chunk = next();
        for (int i = 0; i < chunk.count(); i++) {
            decoder.decode(chunk.bytes(), chunk.start(i), chunk.end(i), decoded);
            map.computeIfAbsent(decoded.deviceId(), device -> new Accumulator()).add(values());
        }
        if (endsSlice(chunk.count())) {
            map.values().forEach(values -> handedOut++);
            map.clear();
        }
        return handedOut;
    }

    private Reading values() {
        reading.sequence = decoded.sequence();
        reading.intendedSendTime = decoded.intendedSendTime();
        for (int i = 0; i < reading.measures.length; i++) {
            reading.measures[i] = decoded.measure(i);
        }
        reading.status = decoded.status();
        reading.errorCount = decoded.errorCount();
        reading.packetsSent = decoded.packetsSent();
        reading.packetsReceived = decoded.packetsReceived();
        reading.bytesSent = decoded.bytesSent();
        reading.bytesReceived = decoded.bytesReceived();
        return reading;
    }
}
