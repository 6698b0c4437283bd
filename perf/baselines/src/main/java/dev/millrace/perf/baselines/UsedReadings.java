package dev.millrace.perf.baselines;

import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;

/**
 * Of what the generator writes the fields that windows are made of, by Avro alone: Flink's own schema for a writer's and a reader's
 * schema looks both up again for each reading. Used by one thread.
 */
final class UsedReadings implements DeserializationSchema<UsedReading> {
    private static final long serialVersionUID = 1;

    private transient SpecificDatumReader<UsedReading> reader;
    private transient BinaryDecoder decoder;

    @Override
    public void open(InitializationContext context) {
        SpecificData data = new SpecificData();
        // It makes its plan once; Avro 1.12 has it off.
        data.setFastReaderEnabled(true);
        reader = new SpecificDatumReader<>(ReadingRecord.getClassSchema(), UsedReading.getClassSchema(), data);
    }

    @Override
    public UsedReading deserialize(byte[] payload) throws IOException {
        decoder = DecoderFactory.get().binaryDecoder(payload, decoder);
        return reader.read(null, decoder);
    }

    @Override
    public boolean isEndOfStream(UsedReading next) {
        return false;
    }

    @Override
    public TypeInformation<UsedReading> getProducedType() {
        return new AvroTypeInfo<>(UsedReading.class);
    }
}
