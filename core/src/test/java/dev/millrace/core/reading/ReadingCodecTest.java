package dev.millrace.core.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.settings.UserException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reading and its payload")
class ReadingCodecTest {
    private static final Schema SCHEMA = ReadingSchema.get();

    @Test
    @DisplayName("what the encoder writes, Avro's generic reader reads and writes again byte for byte")
    void agreesWithAvro() throws IOException {
        Random random = new Random(1);
        ReadingEncoder encoder = new ReadingEncoder();
        for (int i = 0; i < 200; i++) {
            byte[] ours = encoder.encode(reading(random));
            GenericRecord record = new GenericDatumReader<GenericRecord>(SCHEMA)
                    .read(null, DecoderFactory.get().binaryDecoder(ours, null));
            assertThat(write(SCHEMA, record)).isEqualTo(ours);
        }
    }

    @Test
    @DisplayName("what was encoded is decoded from the middle of an array, as far as windows are made of it")
    void decodesWhatWasEncoded() throws Exception {
        Random random = new Random(2);
        ReadingEncoder encoder = new ReadingEncoder();
        ReadingDecoder decoder = new ReadingDecoder(null);
        DecodedReading decoded = new DecodedReadings().get(0);
        int start = 0;
        for (int i = 0; i < 200; i++) {
            Reading reading = reading(random);
            int end = encoder.append(reading);
            decoder.decode(encoder.buffer(), start, end, decoded);
            assertSame(decoded, reading);
            start = end;
        }
    }

    @Test
    @DisplayName("a chunk is decoded as its payloads are one by one, whatever stands between good ones")
    void decodesChunks() {
        Random random = new Random(3);
        int undecodable = 0;
        // Runs without, with one, and with many bad payloads; the last run is a short one.
        for (int oneIn : new int[] {Integer.MAX_VALUE, 300, 3}) {
            PayloadChunk chunk = chunk(random, 5 * DecodedReadings.ROWS + 7, oneIn);
            ReadingDecoder decoder = new ReadingDecoder(null, true);
            DecodedReadings run = new DecodedReadings();
            DecodedReading alone = new DecodedReadings().get(0);
            for (int first = 0; first < chunk.count(); ) {
                int count = decoder.decode(chunk, first, run);
                assertThat(count).isEqualTo(Math.min(DecodedReadings.ROWS, chunk.count() - first));
                for (int row = 0; row < count; row++, first++) {
                    boolean isReading = decodes(new ReadingDecoder(null, true), chunk, first, alone);
                    assertThat(run.isUndecodable(row)).isEqualTo(!isReading);
                    if (isReading) {
                        assertSame(run.get(row), alone);
                    } else {
                        undecodable++;
                    }
                }
            }
        }
        assertThat(undecodable).isBetween(60, 200);
    }

    /** Every {@code oneIn}th payload, by chance, is cut or has a changed byte; the array ends with the last one. */
    private static PayloadChunk chunk(Random random, int count, int oneIn) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] ends = new int[count];
        for (int i = 0; i < count; i++) {
            Reading reading = reading(random);
            reading.deviceId += "x".repeat(random.nextInt(3) * 40);
            reading.filler = new byte[random.nextInt(40) == 0 ? 9_000 : random.nextInt(200)];
            byte[] payload = new ReadingEncoder().encode(reading);
            if (random.nextInt(oneIn) == 0) {
                payload[random.nextInt(payload.length)] = (byte) random.nextInt();
                payload =
                        Arrays.copyOf(payload, random.nextBoolean() ? payload.length : random.nextInt(payload.length));
            }
            bytes.writeBytes(payload);
            ends[i] = bytes.size();
        }
        return new PayloadChunk(0, count, bytes.toByteArray(), ends, new long[count], 0, new long[count], false);
    }

    private static boolean decodes(ReadingDecoder decoder, PayloadChunk chunk, int i, DecodedReading reading) {
        byte[] payload = chunk.payload(i);
        try {
            decoder.decode(payload, 0, payload.length, reading);
            return true;
        } catch (UndecodableException e) {
            return false;
        }
    }

    private static void assertSame(DecodedReading decoded, DecodedReading expected) {
        assertThat(values(decoded)).isEqualTo(values(expected));
    }

    private static List<Object> values(DecodedReading decoded) {
        List<Object> values = new ArrayList<>(List.of(
                decoded.deviceId(),
                new String(decoded.typeBytes(), decoded.typeStart(), decoded.typeLength(), StandardCharsets.UTF_8),
                decoded.sequence(),
                decoded.eventTime(),
                decoded.intendedSendTime(),
                decoded.status(),
                decoded.errorCount(),
                decoded.packetsSent(),
                decoded.packetsReceived(),
                decoded.bytesSent(),
                decoded.bytesReceived()));
        for (Measure measure : Measure.values()) {
            values.add(decoded.measure(measure.ordinal()));
        }
        return values;
    }

    @Test
    @DisplayName("payloads with added, removed and moved fields and narrower numbers become readings")
    void resolvesOtherSchemas() throws Exception {
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : SCHEMA.getFields()) {
            if (!Set.of("firmware", "customerId", "errorCount").contains(field.name())) {
                fields.add(new Schema.Field(
                        field.name(),
                        field.name().equals("packetsSent") ? Schema.create(Schema.Type.INT) : field.schema()));
            }
        }
        Schema tags = Schema.createArray(Schema.createMap(Schema.create(Schema.Type.STRING)));
        fields.add(new Schema.Field("tags", tags));
        Collections.shuffle(fields, new Random(5));
        fields.add(new Schema.Field("last", Schema.create(Schema.Type.STRING)));
        Schema writer = Schema.createRecord("Reading", null, "dev.millrace.core.reading", false, fields);
        Reading reading = reading(new Random(6));
        reading.packetsSent = 77;
        GenericRecord record = generic(writer, reading);
        record.put("tags", List.of(java.util.Map.of("a", "b"), java.util.Map.of()));
        record.put("last", "x");
        byte[] bytes = write(writer, record);
        ReadingDecoder decoder = new ReadingDecoder(writer.toString());
        DecodedReading decoded = new DecodedReadings().get(0);
        decoder.decode(bytes, 0, bytes.length, decoded);
        reading.errorCount = 0;
        assertSame(decoded, reading);

        assertNeverThrowsAnythingElse(decoder, bytes);
        decoder.decode(bytes, 0, bytes.length, decoded);
        assertSame(decoded, reading);
    }

    @Test
    @DisplayName("a writer schema that is none, or lacks what windows need, is refused with a sentence")
    void refusesOtherSchemas() {
        assertThatThrownBy(() -> new ReadingDecoder("{"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not an Avro schema");
        String withoutTime = SCHEMA.toString().replace("\"eventTime\"", "\"time\"");
        assertThatThrownBy(() -> new ReadingDecoder(withoutTime))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("eventTime");
    }

    @Test
    @DisplayName("cut, changed and random bytes give a reading or UndecodableException, nothing else")
    void survivesFuzz() {
        byte[] good = new ReadingEncoder().encode(reading(new Random(7)));
        assertNeverThrowsAnythingElse(new ReadingDecoder(null), good);
    }

    @Test
    @DisplayName(
            "trailing bytes, an unknown status, a negative length, a name that is not UTF-8 and an absurd time are undecodable")
    void refusesMalformed() {
        byte[] good = new ReadingEncoder().encode(reading(new Random(8)));
        assertUndecodable(Arrays.copyOf(good, good.length + 1), "after the last field");
        assertUndecodable(new byte[] {1}, "length");
        assertUndecodable(new byte[] {-2, -1, -1, -1, 15}, "length 2147483647");
        assertUndecodable(new byte[0], "ends within a field");
        assertUndecodable(changed(reading -> reading.status = 4), "status 4");
        assertUndecodable(changed(reading -> reading.status = -1), "status -1");
        assertUndecodable(changed(reading -> reading.eventTime = Long.MAX_VALUE), "event time");
        byte[] notUtf8 = good.clone();
        // The first byte of the device's name, behind its length.
        notUtf8[1] = (byte) 0xFF;
        assertUndecodable(notUtf8, "UTF-8");
    }

    private static byte[] changed(Consumer<Reading> change) {
        Reading reading = reading(new Random(9));
        change.accept(reading);
        return new ReadingEncoder().encode(reading);
    }

    private static void assertUndecodable(byte[] bytes, String words) {
        assertThatThrownBy(() -> new ReadingDecoder(null).decode(bytes, 0, bytes.length, new DecodedReadings().get(0)))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(words);
    }

    private static void assertNeverThrowsAnythingElse(ReadingDecoder decoder, byte[] good) {
        Random random = new Random(10);
        DecodedReading reading = new DecodedReadings().get(0);
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = good.clone();
            int changes = random.nextInt(4);
            for (int k = 0; k < changes; k++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            if (i % 5 == 0) {
                random.nextBytes(bytes);
            }
            // Exactly as long as the span: reading beyond it would be an exception of another kind.
            byte[] span = Arrays.copyOf(bytes, i % 3 == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                decoder.decode(span, 0, span.length, reading);
            } catch (UndecodableException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    private static void assertSame(DecodedReading decoded, Reading reading) {
        assertThat(decoded.deviceId()).isEqualTo(reading.deviceId);
        assertThat(decoded.sequence()).isEqualTo(reading.sequence);
        assertThat(decoded.eventTime()).isEqualTo(reading.eventTime);
        assertThat(decoded.intendedSendTime()).isEqualTo(reading.intendedSendTime);
        for (Measure measure : Measure.values()) {
            assertThat(decoded.measure(measure.ordinal())).isEqualTo(reading.measures[measure.ordinal()]);
        }
        assertThat(decoded.status()).isEqualTo(reading.status);
        assertThat(decoded.errorCount()).isEqualTo(reading.errorCount);
        assertThat(decoded.packetsSent()).isEqualTo(reading.packetsSent);
        assertThat(decoded.packetsReceived()).isEqualTo(reading.packetsReceived);
        assertThat(decoded.bytesSent()).isEqualTo(reading.bytesSent);
        assertThat(decoded.bytesReceived()).isEqualTo(reading.bytesReceived);
    }

    private static GenericRecord generic(Schema writer, Reading reading) throws IOException {
        byte[] bytes = new ReadingEncoder().encode(reading);
        GenericRecord full = new GenericDatumReader<GenericRecord>(SCHEMA)
                .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        GenericRecord record = new GenericData.Record(writer);
        for (Schema.Field field : writer.getFields()) {
            if (SCHEMA.getField(field.name()) != null) {
                Object value = full.get(field.name());
                record.put(
                        field.name(),
                        field.schema().getType() == Schema.Type.INT ? (Object) ((Number) value).intValue() : value);
            }
        }
        return record;
    }

    private static byte[] write(Schema schema, GenericRecord record) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    private static Reading reading(Random random) {
        Reading reading = new Reading();
        reading.deviceId = "device-" + random.nextInt(1000) + (random.nextBoolean() ? "é€😀" : "");
        reading.deviceType = "thermometer";
        reading.customerId = "customer-" + random.nextInt(10);
        reading.siteId = random.nextBoolean() ? "" : "site";
        reading.sequence = random.nextLong();
        reading.eventTime = 1_700_000_000_000L + random.nextInt();
        reading.intendedSendTime = random.nextLong();
        reading.latitude = random.nextDouble();
        reading.longitude = -random.nextDouble();
        reading.altitude = random.nextGaussian();
        for (int i = 0; i < Measure.COUNT; i++) {
            reading.measures[i] = random.nextInt() / 1024.0;
        }
        reading.motion = random.nextBoolean();
        reading.status = random.nextInt(Status.COUNT);
        reading.errorCount = random.nextInt();
        reading.packetsSent = random.nextLong();
        reading.packetsReceived = random.nextInt(100);
        reading.bytesSent = random.nextLong();
        reading.bytesReceived = random.nextLong();
        reading.firmware = "1.2." + random.nextInt(9);
        reading.filler = new byte[random.nextInt(300)];
        random.nextBytes(reading.filler);
        return reading;
    }
}
