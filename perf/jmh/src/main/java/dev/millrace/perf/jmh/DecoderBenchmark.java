package dev.millrace.perf.jmh;

import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.reading.ReadingSchema;
import dev.millrace.core.reading.UndecodableException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
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

/** From payloads to what windows are made of, chunk by chunk. An operation is a reading. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ReadingChunks.CHUNK_READINGS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecoderBenchmark {
    private static final int DEVICES = 1_000;

    private PayloadChunk[] chunks;
    private int next;

    private ReadingDecoder decoder;
    private DecodedReadings readings;

    private GenericDatumReader<GenericRecord> avro;
    private BinaryDecoder binary;
    private GenericRecord generic;

    @Setup
    public void setUp() {
        chunks = ReadingChunks.of(DEVICES);
        decoder = new ReadingDecoder(null);
        readings = new DecodedReadings();
        avro = new GenericDatumReader<>(ReadingSchema.get(), whatWindowsRead());
    }

    /** The schema without what no window needs, so that Avro skips it too. */
    private static Schema whatWindowsRead() {
        Set<String> read = new HashSet<>(List.of(
                "deviceId",
                "sequence",
                "eventTime",
                "intendedSendTime",
                "status",
                "errorCount",
                "packetsSent",
                "packetsReceived",
                "bytesSent",
                "bytesReceived"));
        for (Measure measure : Measure.values()) {
            read.add(measure.field());
        }
        Schema all = ReadingSchema.get();
        List<Schema.Field> fields = all.getFields().stream()
                .filter(field -> read.contains(field.name()))
                .map(field -> new Schema.Field(field, field.schema()))
                .toList();
        return Schema.createRecord(all.getName(), all.getDoc(), all.getNamespace(), false, fields);
    }

    private PayloadChunk next() {
        next = next + 1 == chunks.length ? 0 : next + 1;
        return chunks[next];
    }

    @Benchmark
    public void decode(Blackhole hole) {
        PayloadChunk chunk = next();
        for (int first = 0; first < chunk.count(); ) {
            first += decoder.decode(chunk, first, readings);
            hole.consume(readings);
        }
    }

    /** Payload by payload, as what has only one of them does it. */
    @Benchmark
    public void decodeOne(Blackhole hole) throws UndecodableException {
        PayloadChunk chunk = next();
        for (int i = 0; i < chunk.count(); i++) {
            decoder.decode(chunk.bytes(), chunk.start(i), chunk.end(i), readings.get(0));
            hole.consume(readings);
        }
    }

    /** Avro's own resolving decoder, all its objects used again. */
    @Benchmark
    public void baseline(Blackhole hole) throws IOException {
        PayloadChunk chunk = next();
        for (int i = 0; i < chunk.count(); i++) {
            binary = DecoderFactory.get()
                    .binaryDecoder(chunk.bytes(), chunk.start(i), chunk.end(i) - chunk.start(i), binary);
            generic = avro.read(generic, binary);
            hole.consume(generic);
        }
    }
}
