package dev.millrace.core.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.Deflater;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingGeneratorTest {
    private static final long START = 1_700_000_000_000_000L;

    @Test
    void aReadingIsTheSameHoweverItIsAskedFor() {
        GeneratorSettings settings = new GeneratorSettings(7, 50, 1.1, 300, 0.5, 0.1, 0.01, 5000);
        Schedule schedule = Schedule.constant(START, 1000);
        ReadingGenerator inOrder = new ReadingGenerator(settings, schedule);
        byte[][] payloads = new byte[5000][];
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = payload(inOrder, i);
        }
        ReadingGenerator atRandom = new ReadingGenerator(settings, schedule);
        Random random = new Random(1);
        for (int k = 0; k < 5000; k++) {
            int i = random.nextInt(payloads.length);
            assertThat(payload(atRandom, i)).isEqualTo(payloads[i]);
        }
    }

    @Test
    void anotherSeedGivesOtherReadings() {
        Schedule schedule = Schedule.constant(START, 1000);
        Reading one = new Reading();
        Reading other = new Reading();
        new ReadingGenerator(GeneratorSettings.of(1, 10), schedule).reading(0, one);
        new ReadingGenerator(GeneratorSettings.of(2, 10), schedule).reading(0, other);
        assertThat(one.measures).isNotEqualTo(other.measures);
    }

    @Test
    void measuresDependOnDeviceAndSequenceNotOnTheSchedule() {
        GeneratorSettings settings = GeneratorSettings.of(1, 10);
        Reading slow = new Reading();
        Reading fast = new Reading();
        new ReadingGenerator(settings, Schedule.constant(START, 1)).reading(77, slow);
        new ReadingGenerator(settings, Schedule.constant(START + 5_000_000, 1000)).reading(77, fast);
        assertThat(slow.measures).isEqualTo(fast.measures);
        assertThat(slow.eventTime).isEqualTo(START / 1000 + 77_000);
        assertThat(fast.eventTime).isEqualTo(START / 1000 + 5_077);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                200, 225, 237, 238, 239, 240, 241, 242, 243, 244, 245, 300, 8364, 8365, 8366, 8367, 8368, 8369, 8370,
                8371, 8372, 8373, 100_000
            })
    void everyPayloadHasExactlyTheBytesAskedFor(int bytes) {
        GeneratorSettings settings = new GeneratorSettings(3, 20, 0, bytes, 1, 0.2, 0.2, 5000);
        ReadingGenerator generator = new ReadingGenerator(settings, Schedule.constant(START, 17));
        for (long i : new long[] {0, 1, 2, 3, 19, 20, 1279, 1280, 2560, 163_840, 1_000_000, 1_000_001, 50_000_000}) {
            assertThat(payload(generator, i)).hasSize(bytes);
        }
    }

    @Test
    void plainAvroReadsWhatWasGenerated() throws IOException {
        Schema schema =
                new Schema.Parser().parse(Reading.class.getResourceAsStream("/dev/millrace/core/reading/Reading.avsc"));
        GenericDatumReader<GenericRecord> reader = new GenericDatumReader<>(schema);
        ReadingGenerator generator =
                new ReadingGenerator(GeneratorSettings.of(42, 1000), Schedule.constant(START, 10_000));
        Reading reading = new Reading();
        for (long i = 0; i < 10_000; i++) {
            byte[] payload = payload(generator, i);
            assertThat(payload).hasSize(300);
            BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(payload, null);
            GenericRecord record = reader.read(null, decoder);
            assertThat(decoder.isEnd()).isTrue();
            generator.reading(i, reading);
            assertThat(record.get("deviceId").toString()).isEqualTo(reading.deviceId);
            assertThat(record.get("sequence")).isEqualTo(reading.sequence);
            assertThat(record.get("eventTime")).isEqualTo(reading.eventTime);
            assertThat(record.get("signalStrength")).isEqualTo(reading.measures[7]);
            assertThat(generator.index(reading.deviceId, reading.sequence)).isEqualTo(i);
        }
    }

    @Test
    void eachDeviceSendsOnceInEveryCycleInAnOrderThatChanges() {
        ReadingGenerator generator =
                new ReadingGenerator(GeneratorSettings.of(1, 100), Schedule.constant(START, 10_000));
        Reading reading = new Reading();
        Set<String> orders = new HashSet<>();
        for (long cycle = 0; cycle < 50; cycle++) {
            Set<Integer> seen = new HashSet<>();
            StringBuilder order = new StringBuilder();
            for (long i = cycle * 100; i < (cycle + 1) * 100; i++) {
                generator.values(i, reading);
                seen.add(generator.device(i));
                order.append(generator.device(i)).append(' ');
                assertThat(reading.sequence).isEqualTo(cycle);
            }
            assertThat(seen).hasSize(100);
            orders.add(order.toString());
        }
        assertThat(orders).hasSize(50);
    }

    @Test
    void byZipfsLawFrequentDevicesSendMoreAndEverySequenceIsWithoutGap() {
        GeneratorSettings settings = new GeneratorSettings(5, 200, 1, 300, 1, 0, 0, 5000);
        ReadingGenerator generator = new ReadingGenerator(settings, Schedule.constant(START, 10_000));
        Map<Integer, Long> next = new HashMap<>();
        Reading reading = new Reading();
        for (long i = 0; i < 20_000; i++) {
            int device = generator.device(i);
            generator.reading(i, reading);
            assertThat(reading.sequence).isEqualTo(next.getOrDefault(device, 0L));
            next.put(device, reading.sequence + 1);
            assertThat(generator.index(reading.deviceId, reading.sequence)).isEqualTo(i);
        }
        assertThat(next).hasSize(200);
        assertThat((double) next.get(0) / next.get(9)).isBetween(8.0, 13.0);
    }

    @Test
    void sumsOfMeasuresAreExactInAnyOrder() {
        ReadingGenerator generator = new ReadingGenerator(GeneratorSettings.of(1, 1), Schedule.constant(START, 10_000));
        Reading reading = new Reading();
        double[] values = new double[100_000];
        boolean negative = false;
        for (int measure = 0; measure < 8; measure++) {
            long inSteps = 0;
            for (int i = 0; i < values.length; i++) {
                generator.values(i, reading);
                values[i] = reading.measures[measure];
                assertThat(values[i] * 1024).isEqualTo(Math.rint(values[i] * 1024));
                inSteps += (long) (values[i] * 1024);
                negative |= values[i] < 0;
            }
            double forwards = 0;
            double backwards = 0;
            for (int i = 0; i < values.length; i++) {
                forwards += values[i];
                backwards += values[values.length - 1 - i];
            }
            assertThat(forwards).isEqualTo(backwards).isEqualTo(inSteps / 1024.0);
        }
        assertThat(negative).isTrue();
    }

    @Test
    void sharesOutOfOrderAndLateAreKeptAndStayOnTheirSideOfTheBound() {
        GeneratorSettings settings = new GeneratorSettings(5, 100, 0, 300, 1, 0.2, 0.05, 3000);
        ReadingGenerator generator = new ReadingGenerator(settings, Schedule.constant(START, 10_000));
        Reading reading = new Reading();
        int within = 0;
        int beyond = 0;
        for (long i = 0; i < 100_000; i++) {
            generator.values(i, reading);
            long behind = reading.intendedSendTime / 1000 - reading.eventTime;
            assertThat(behind).isBetween(0L, settings.maxBehindMillis());
            within += behind > 0 && behind < 3000 ? 1 : 0;
            beyond += behind > 3000 ? 1 : 0;
            assertThat(behind).isNotEqualTo(3000);
        }
        assertThat(within).isBetween(19_500, 20_500);
        assertThat(beyond).isBetween(4_700, 5_300);
    }

    @Test
    void fillerCompressesAsMuchAsItsEntropyAllowsAndNoMore() {
        assertThat(deflated(1.0)).isGreaterThan(0.98);
        assertThat(deflated(0.5)).isBetween(0.45, 0.6);
        assertThat(deflated(0.0)).isLessThan(0.05);
    }

    @Test
    void settingsOutOfBoundsAreAllNamedAtOnce() {
        assertThatThrownBy(() -> new GeneratorSettings(1, 0, 0, 100, 2, 0, 0, 5000))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("devices 0 must be 1 to 1000000")
                .hasMessageContaining("payload-bytes 100 must be 200")
                .hasMessageContaining("payload-entropy 2.0 must be 0 to 1");
    }

    private static double deflated(double entropy) {
        GeneratorSettings settings = new GeneratorSettings(3, 20, 0, 2000, entropy, 0, 0, 5000);
        ReadingGenerator generator = new ReadingGenerator(settings, Schedule.constant(START, 1000));
        Reading reading = new Reading();
        Deflater deflater = new Deflater();
        long in = 0;
        for (int i = 0; i < 100; i++) {
            generator.reading(i, reading);
            in += reading.filler.length;
        }
        byte[] all = new byte[(int) in];
        int at = 0;
        for (int i = 0; i < 100; i++) {
            generator.reading(i, reading);
            System.arraycopy(reading.filler, 0, all, at, reading.filler.length);
            at += reading.filler.length;
        }
        deflater.setInput(all);
        deflater.finish();
        byte[] out = new byte[all.length * 2];
        int size = deflater.deflate(out);
        deflater.end();
        return (double) size / all.length;
    }

    private static byte[] payload(ReadingGenerator generator, long index) {
        Reading reading = new Reading();
        generator.reading(index, reading);
        return new ReadingEncoder().encode(reading);
    }
}
