package dev.millrace.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.reading.ReadingEncoder;
import dev.millrace.core.reading.UndecodableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Pre-aggregation")
class PreAggregationTest {
    private static final long SEED = 7;

    private final Map<String, Accumulator> merged = new HashMap<>();
    private final List<String> out = new ArrayList<>();
    private final ReadingDecoder decoder = new ReadingDecoder(null);
    private final ReadingBatch batch = new ReadingBatch();
    private int inBatch;

    @Test
    @DisplayName("gives bit for bit what adding each reading gives, for names of every length and any bound of memory")
    void mergesBitForBit() throws Exception {
        for (long memory : new long[] {
            0, 64L * SliceTable.ROW_BYTES, 1000L * SliceTable.ROW_BYTES, 3000L * SliceTable.ROW_BYTES, 64L << 20
        }) {
            Random random = new Random(SEED);
            Map<String, Accumulator> expected = new HashMap<>();
            merged.clear();
            PreAggregation table = table(memory);
            for (int i = 0; i < 30_000; i++) {
                long sliceEnd = 1000L * (1 + random.nextInt(3));
                Reading reading = Samples.reading(device(random.nextInt(3_000)), random.nextInt(1 << 30), sliceEnd - 1);
                reading.measures[0] = random.nextInt(4) == 0 ? -0.0 : random.nextInt(3) - 1;
                expected.computeIfAbsent(reading.deviceId + " " + sliceEnd, key -> new Accumulator())
                        .add(reading);
                add(table, reading, sliceEnd);
                if (i % 9_000 == 8_999) {
                    table.flush();
                }
            }
            addBatch(table);
            table.flush();
            assertThat(merged).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName(
            "hands out a slice when it closes; with the bound reached new devices' readings pass, the others' merge")
    void flushes() throws Exception {
        PreAggregation table = table(64L * SliceTable.ROW_BYTES);
        addNow(table, "a", 1000);
        addNow(table, "b", 2000);
        table.flushClosed(998);
        assertThat(out).isEmpty();
        table.flushClosed(999);
        assertThat(out).containsExactly("a 1000 1");
        for (int i = 0; i < 63; i++) {
            addNow(table, "c" + i, 3000);
        }
        assertThat(out).hasSize(1);
        add(table, Samples.reading("d", 0, 0), 3000);
        add(table, Samples.reading("c0", 0, 0), 3000);
        add(table, Samples.reading("d", 0, 0), 3000);
        addBatch(table);
        assertThat(out).containsExactly("a 1000 1", "d 3000 1", "d 3000 1");
        table.flush();
        assertThat(out).hasSize(67).contains("b 2000 1", "c0 3000 2", "c62 3000 1");
    }

    @Test
    @DisplayName("with the bound reached lets the largest slice go for a later one, but not for an earlier")
    void letsASliceGo() throws Exception {
        PreAggregation table = table(64L * SliceTable.ROW_BYTES);
        for (int i = 0; i < 64; i++) {
            addNow(table, "a" + i, 2000);
        }
        addNow(table, "a", 1000);
        assertThat(out).containsExactly("a 1000 1");
        addNow(table, "b", 3000);
        assertThat(out).hasSize(65).endsWith("a63 2000 1");
        table.flush();
        assertThat(out).hasSize(66).endsWith("b 3000 1");
    }

    @Test
    @DisplayName("after a million readings without room begins anew, with the devices that send now")
    void beginsAnew() throws Exception {
        PreAggregation table = table(64L * SliceTable.ROW_BYTES);
        for (int i = 0; i < 64; i++) {
            addNow(table, "old" + i, 1000);
        }
        for (int i = 0; i <= 1_000_000; i++) {
            addNow(table, "new", 1000);
        }
        assertThat(out).hasSize(1_000_001).allMatch("new 1000 1"::equals);
        addNow(table, "new", 1000);
        assertThat(out).hasSize(1_000_001 + 64).endsWith("old63 1000 1");
        addNow(table, "new", 1000);
        table.flush();
        assertThat(out).hasSize(1_000_001 + 65).endsWith("new 1000 2");
    }

    @Test
    @DisplayName("keeps few slices open, however far event times are strewn")
    void boundsSlices() throws Exception {
        PreAggregation table = table(1L << 30);
        for (int i = 1; i <= 1000; i++) {
            addNow(table, "a", i * 1000L);
        }
        assertThat(out).hasSizeGreaterThanOrEqualTo(1000 - 32);
    }

    @Test
    @DisplayName("stands aside while nearly every row holds one reading, and tries again later")
    void standsAside() throws Exception {
        PreAggregation table = table(1L << 30);
        for (int i = 0; i < 200_000; i++) {
            addNow(table, "device-" + i, 1000);
        }
        assertThat(out).isEmpty();
        table.flush();
        out.clear();
        for (int i = 1; i <= 1_000_000; i++) {
            addNow(table, "a", 1000);
        }
        assertThat(out).hasSize(1_000_000);
        for (int i = 0; i < 20_000; i++) {
            addNow(table, "a", 1000);
        }
        table.flush();
        addNow(table, "a", 1000);
        assertThat(out).hasSize(1_000_001).endsWith("a 1000 20000");
    }

    private static String device(int number) {
        // Zero bytes and a common beginning: what only the length or the last byte tells apart.
        return "\0".repeat(number % 3) + "x".repeat(number % 61) + number % 977;
    }

    private void addNow(PreAggregation table, String device, long sliceEnd) throws UndecodableException {
        add(table, Samples.reading(device, 0, 0), sliceEnd);
        addBatch(table);
    }

    private void add(PreAggregation table, Reading reading, long sliceEnd) throws UndecodableException {
        byte[] bytes = new ReadingEncoder().encode(reading);
        DecodedReading decoded = batch.decoded().get(inBatch++);
        decoder.decode(bytes, 0, bytes.length, decoded);
        batch.take(decoded, sliceEnd);
        if (inBatch == DecodedReadings.ROWS) {
            addBatch(table);
        }
    }

    private void addBatch(PreAggregation table) {
        table.add(batch);
        inBatch = 0;
    }

    private PreAggregation table(long memory) {
        return new PreAggregation(memory, partial -> {
            out.add(partial.deviceId + " " + partial.sliceEnd + " " + partial.values.readings);
            merged.computeIfAbsent(partial.deviceId + " " + partial.sliceEnd, key -> new Accumulator())
                    .merge(partial.values);
        });
    }
}
