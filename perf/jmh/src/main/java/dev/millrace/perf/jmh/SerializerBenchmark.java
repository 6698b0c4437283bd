package dev.millrace.perf.jmh;

import dev.millrace.core.generate.ReadingGenerator;
import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.reading.UndecodableException;
import dev.millrace.core.window.Accumulator;
import dev.millrace.core.window.PreAggregation;
import dev.millrace.core.window.ReadingBatch;
import dev.millrace.core.window.SlicePartial;
import dev.millrace.core.window.WindowTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
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
import org.openjdk.jmh.infra.Blackhole;

/** Partials written to where Flink writes them, and read from there. An operation is a PARTIAL, written and read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SerializerBenchmark.PARTIALS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SerializerBenchmark {
    static final int PARTIALS = 1_000;
    private static final long SLICE_END = 1_750_000_010_000L;
    private static final long TABLE_BYTES = 16L << 20;

    @Param({"1", "10", "100"})
    public int readingsPerPartial;

    private final DataOutputSerializer out = new DataOutputSerializer(1 << 20);
    private final DataInputDeserializer in = new DataInputDeserializer();

    private List<SlicePartial> partials;
    private TypeSerializer<SlicePartial> own;
    private List<PojoPartial> pojos;
    private TypeSerializer<PojoPartial> pojo;

    /** Both lists hold the same. */
    @Setup
    public void setUp() throws UndecodableException {
        SerializerConfigImpl config = new SerializerConfigImpl();
        own = WindowTypes.SLICE_PARTIAL.createSerializer(config);
        pojo = TypeInformation.of(PojoPartial.class).createSerializer(config);
        partials = new ArrayList<>();
        PreAggregation table = new PreAggregation(TABLE_BYTES, partial -> partials.add(own.copy(partial)));
        Map<String, Accumulator> merged = new HashMap<>();

        ReadingGenerator generator = ReadingChunks.generator(PARTIALS);
        ReadingEncoder encoder = new ReadingEncoder();
        ReadingDecoder decoder = new ReadingDecoder(null);
        ReadingBatch batch = new ReadingBatch();
        for (int index = 0; index < PARTIALS * readingsPerPartial; index++) {
            Reading reading = new Reading();
            generator.reading(index, reading);
            merged.computeIfAbsent(reading.deviceId, device -> new Accumulator())
                    .add(reading);
            byte[] payload = encoder.encode(reading);
            DecodedReading decoded = batch.decoded().get(0);
            decoder.decode(payload, 0, payload.length, decoded);
            batch.take(decoded, SLICE_END);
            table.add(batch);
        }
        table.flush();
        pojos = new ArrayList<>();
        merged.forEach((device, values) -> pojos.add(new PojoPartial(device, SLICE_END, values)));
        if (partials.size() != PARTIALS || pojos.size() != PARTIALS) {
            throw new IllegalStateException(partials.size() + " and " + pojos.size() + " partials");
        }
    }

    @Benchmark
    public void writeAndRead(Blackhole hole) throws IOException {
        writeAndRead(own, partials, hole);
    }

    /** Flink's own serializer of a class with public fields. */
    @Benchmark
    public void baseline(Blackhole hole) throws IOException {
        writeAndRead(pojo, pojos, hole);
    }

    private <T> void writeAndRead(TypeSerializer<T> serializer, List<T> values, Blackhole hole) throws IOException {
        out.clear();
        for (T value : values) {
            serializer.serialize(value, out);
        }
        in.setBuffer(out.getSharedBuffer(), 0, out.length());
        for (int i = 0; i < values.size(); i++) {
            hole.consume(serializer.deserialize(in));
        }
    }
}
