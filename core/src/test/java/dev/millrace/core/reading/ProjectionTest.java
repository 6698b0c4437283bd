package dev.millrace.core.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Payloads of random writer schemas")
class ProjectionTest {
    private static final Schema READER = ReadingSchema.get();
    private static final long SEED = 20_261_121;

    @Test
    @DisplayName("are read as Avro's own resolving reader reads them, by a projection or without one")
    void agreesWithAvro() throws Exception {
        Random random = new Random(SEED);
        int projected = 0;
        for (int i = 0; i < 300; i++) {
            boolean flat = i % 4 != 0;
            Schema writer = writer(random, flat);
            ReadingDecoder decoder = new ReadingDecoder(writer.toString(), true);
            Optional<Projection> projection = Projection.of(writer, true);
            assertThat(projection.isPresent() || !flat).as("%s", writer).isTrue();
            projected += projection.isPresent() ? 1 : 0;
            DecodedReading decoded = new DecodedReadings().get(0);
            DecodedReadings rows = new DecodedReadings();
            int seed = random.nextInt();
            for (Object datum : new RandomData(writer, 5, seed, true)) {
                GenericRecord written = (GenericRecord) datum;
                written.put(
                        "eventTime",
                        written.getSchema().getField("eventTime").schema().getType() == Schema.Type.INT
                                ? (Object) random.nextInt()
                                : (Object) (1_700_000_000_000L + random.nextInt()));
                byte[] bytes = bytes(writer, written);
                GenericRecord expected = new GenericDatumReader<GenericRecord>(writer, READER)
                        .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
                // From the middle of an array, as they come in a chunk.
                byte[] chunk = new byte[bytes.length + 40];
                random.nextBytes(chunk);
                System.arraycopy(bytes, 0, chunk, 20, bytes.length);
                decoder.decode(chunk, 20, 20 + bytes.length, decoded);
                assertSame(decoded, expected);
                if (projection.isPresent()) {
                    // Avro's decoder, which the first one asks when in doubt, has had no part in this.
                    assertThat(projection.get().decode(chunk, 20, 20 + bytes.length, rows, 5))
                            .isTrue();
                    assertSame(rows.get(5), expected);
                }
            }
        }
        assertThat(projected).isBetween(225, 299);
    }

    @Test
    @DisplayName("that were cut or changed are read within their span or are undecodable")
    void staysInside() throws Exception {
        Random random = new Random(SEED);
        int undecodable = 0;
        int tried = 0;
        for (int i = 0; i < 40; i++) {
            Schema writer = writer(random, true);
            ReadingDecoder decoder = new ReadingDecoder(writer.toString(), true);
            DecodedReading decoded = new DecodedReadings().get(0);
            byte[] good = bytes(writer, (GenericRecord)
                    new RandomData(writer, 1, random.nextInt(), true).iterator().next());
            for (int k = 0; k < 2_000; k++) {
                byte[] bytes = Arrays.copyOf(good, k % 3 == 0 ? random.nextInt(good.length + 1) : good.length);
                for (int change = random.nextInt(4); change > 0 && bytes.length > 0; change--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                tried++;
                try {
                    // The array ends where the span ends, so that a step too far would be an exception of another kind.
                    decoder.decode(bytes, 0, bytes.length, decoded);
                    assertThat(decoded.status()).isBetween(0, Status.COUNT - 1);
                    assertThat(decoded.deviceStart() + decoded.deviceLength()).isLessThanOrEqualTo(bytes.length);
                    assertThat(decoded.typeStart() + decoded.typeLength()).isLessThanOrEqualTo(bytes.length);
                } catch (UndecodableException expected) {
                    undecodable++;
                }
            }
        }
        assertThat(undecodable).isBetween(tried / 3, tried - 1);
    }

    @Test
    @DisplayName("have a projection also with a record in the record, and none when a record holds itself")
    void records() {
        assertThat(Projection.of(READER, false)).isPresent();
        Schema.Field nested = new Schema.Field(
                "place",
                Schema.createRecord("Place", null, null, false, List.of(field("sequence", Schema.Type.STRING))));
        assertThat(Projection.of(with(nested), true)).isPresent();
        Schema endless = Schema.createRecord("Endless", null, null, false);
        endless.setFields(List.of(new Schema.Field("next", endless)));
        assertThat(Projection.of(with(new Schema.Field("endless", endless)), true))
                .isEmpty();
    }

    @Test
    @DisplayName("of a union with one such record are read without a projection")
    void union() throws Exception {
        Schema writer = Schema.createUnion(READER);
        assertThat(Projection.of(writer, true)).isEmpty();
        GenericRecord written =
                (GenericRecord) new RandomData(READER, 1, SEED, true).iterator().next();
        written.put("eventTime", 1_700_000_000_000L);
        byte[] bytes = bytes(writer, written);
        DecodedReading decoded = new DecodedReadings().get(0);
        new ReadingDecoder(writer.toString(), true).decode(bytes, 0, bytes.length, decoded);
        assertSame(decoded, written);
    }

    private static Schema with(Schema.Field field) {
        List<Schema.Field> fields = new ArrayList<>(copies());
        fields.add(field);
        return Schema.createRecord("Reading", null, READER.getNamespace(), false, fields);
    }

    private static List<Schema.Field> copies() {
        return READER.getFields().stream()
                .map(field -> new Schema.Field(field.name(), field.schema()))
                .toList();
    }

    /** The reader's schema with fields left out, narrowed, added and moved. */
    private static Schema writer(Random random, boolean flat) {
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : READER.getFields()) {
            if (!field.hasDefaultValue() || random.nextInt(3) > 0) {
                fields.add(new Schema.Field(field.name(), narrowed(field.schema(), random)));
            }
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            fields.add(new Schema.Field("added" + i, added(random, flat)));
        }
        Collections.shuffle(fields, random);
        return Schema.createRecord("Reading", null, READER.getNamespace(), false, fields);
    }

    private static Schema narrowed(Schema schema, Random random) {
        if (random.nextInt(4) > 0) {
            return schema;
        }
        return switch (schema.getType()) {
            case LONG -> Schema.create(Schema.Type.INT);
            case DOUBLE -> Schema.create(Schema.Type.FLOAT);
            case ENUM -> moved(schema, random);
            default -> schema;
        };
    }

    private static Schema moved(Schema status, Random random) {
        List<String> symbols = new ArrayList<>(status.getEnumSymbols());
        Collections.shuffle(symbols, random);
        return Schema.createEnum(
                status.getName(), null, status.getNamespace(), symbols.subList(0, 1 + random.nextInt(symbols.size())));
    }

    private static Schema added(Random random, boolean flat) {
        int name = random.nextInt(Integer.MAX_VALUE);
        return switch (random.nextInt(flat ? 9 : 12)) {
            case 0 -> Schema.create(Schema.Type.STRING);
            case 1 -> Schema.create(Schema.Type.BYTES);
            case 2 -> Schema.create(Schema.Type.BOOLEAN);
            case 3 -> Schema.create(Schema.Type.FLOAT);
            case 4 -> Schema.create(Schema.Type.LONG);
            case 5 -> Schema.create(Schema.Type.NULL);
            case 6 -> Schema.createFixed("Fixed" + name, null, null, random.nextInt(20));
            case 7 -> Schema.createEnum("Enum" + name, null, null, List.of("A", "B"));
            case 8 ->
                Schema.createRecord(
                        "Record" + name,
                        null,
                        null,
                        false,
                        List.of(field("sequence", Schema.Type.STRING), field("other", Schema.Type.DOUBLE)));
            case 9 -> Schema.createUnion(Schema.create(Schema.Type.NULL), Schema.create(Schema.Type.STRING));
            case 10 -> Schema.createArray(Schema.create(Schema.Type.LONG));
            default -> Schema.createMap(Schema.create(Schema.Type.DOUBLE));
        };
    }

    private static Schema.Field field(String name, Schema.Type type) {
        return new Schema.Field(name, Schema.create(type));
    }

    private static byte[] bytes(Schema schema, GenericRecord record) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema, GenericData.get()).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    private static String eventType(DecodedReading decoded) {
        return new String(decoded.typeBytes(), decoded.typeStart(), decoded.typeLength(), StandardCharsets.UTF_8);
    }

    private static void assertSame(DecodedReading decoded, GenericRecord expected) {
        assertThat(decoded.deviceId()).isEqualTo(expected.get("deviceId").toString());
        assertThat(eventType(decoded)).isEqualTo(expected.get("eventType").toString());
        assertThat(decoded.sequence()).isEqualTo(expected.get("sequence"));
        assertThat(decoded.eventTime()).isEqualTo(expected.get("eventTime"));
        assertThat(decoded.intendedSendTime()).isEqualTo(expected.get("intendedSendTime"));
        for (Measure measure : Measure.values()) {
            assertThat(decoded.measure(measure.ordinal())).isEqualTo(expected.get(measure.field()));
        }
        assertThat(Status.values()[decoded.status()].name())
                .isEqualTo(expected.get("status").toString());
        assertThat(decoded.errorCount()).isEqualTo(expected.get("errorCount"));
        assertThat(decoded.packetsSent()).isEqualTo(expected.get("packetsSent"));
        assertThat(decoded.packetsReceived()).isEqualTo(expected.get("packetsReceived"));
        assertThat(decoded.bytesSent()).isEqualTo(expected.get("bytesSent"));
        assertThat(decoded.bytesReceived()).isEqualTo(expected.get("bytesReceived"));
    }
}
