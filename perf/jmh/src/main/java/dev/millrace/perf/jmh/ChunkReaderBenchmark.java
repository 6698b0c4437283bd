package dev.millrace.perf.jmh;

import dev.millrace.connectors.api.reader.ChunkBatch;
import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** From the buffer that a client has fetched to the task that takes it. An operation is a reading. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ReadingChunks.CHUNK_READINGS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChunkReaderBenchmark {
    private static final int DEVICES = 1_000;
    private static final String SPLIT = "readings-0";

    private PayloadChunk[] fetched;
    private ByteBuffer[] buffers;
    private int next;
    private ChunkBuilder builder;

    @Setup
    public void setUp() {
        fetched = ReadingChunks.of(DEVICES);
        buffers = new ByteBuffer[fetched.length];
        for (int i = 0; i < fetched.length; i++) {
            buffers[i] = ByteBuffer.wrap(fetched[i].bytes());
        }
        builder = new ChunkBuilder(0, 1 << 20, new ChunkPool());
    }

    private int next() {
        next = next + 1 == fetched.length ? 0 : next + 1;
        return next;
    }

    @Benchmark
    public void read(Blackhole hole) {
        int fetch = next();
        PayloadChunk records = fetched[fetch];
        ByteBuffer buffer = buffers[fetch];
        for (int i = 0; i < records.count(); i++) {
            builder.add(span(buffer, records, i), records.brokerTimestamp(i), 0, i);
        }
        ChunkBatch batch = new ChunkBatch().add(SPLIT, builder.build(false));
        while (batch.nextSplit() != null) {
            for (PayloadChunk chunk = batch.nextRecordFromSplit(); chunk != null; chunk = batch.nextRecordFromSplit()) {
                hole.consume(chunk);
            }
        }
        batch.recycle();
    }

    /** An array for each record, as a client's own deserializer of bytes makes it, and a list of them. */
    @Benchmark
    public void baseline(Blackhole hole) {
        int fetch = next();
        PayloadChunk records = fetched[fetch];
        ByteBuffer buffer = buffers[fetch];
        List<byte[]> payloads = new ArrayList<>(records.count());
        for (int i = 0; i < records.count(); i++) {
            byte[] payload = new byte[span(buffer, records, i).remaining()];
            buffer.get(payload);
            payloads.add(payload);
        }
        payloads.forEach(hole::consume);
    }

    private static ByteBuffer span(ByteBuffer buffer, PayloadChunk records, int i) {
        return buffer.limit(records.end(i)).position(records.start(i));
    }
}
