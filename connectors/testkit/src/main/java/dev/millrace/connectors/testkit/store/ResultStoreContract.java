package dev.millrace.connectors.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreClient.Extent;
import dev.millrace.connectors.api.store.StoreView;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Status;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every sentence of the store's interfaces as a test against a real server process. A store's module extends it and names its
 * store; each test has a server and a directory of its own.
 */
public abstract class ResultStoreContract extends StoreFaultChapter {
    @Test
    @DisplayName("an empty store has nothing and says so")
    void empty() {
        assertThat(client.extent()).isEqualTo(new Extent(Long.MIN_VALUE, Long.MIN_VALUE, 0, 0, 0, Long.MIN_VALUE));
        assertThat(windows()).isEmpty();
        assertThat(deadLetters()).isEmpty();
    }

    @Test
    @DisplayName("preparing twice changes nothing")
    void prepareTwice() {
        client.insert(Blocks.block(1, Blocks.windows(3, MINUTE)));
        client.prepare();
        assertThat(windows()).hasSize(3);
    }

    @Test
    @DisplayName("windows come back bit for bit, with negative maxima and the greatest long")
    void bitForBit() {
        List<DeviceWindow> rows = Blocks.windows(10, MINUTE);
        client.insert(Blocks.block(1, rows));
        assertThat(windows()).containsExactlyElementsOf(rows);
    }

    @Test
    @DisplayName("a device may be called anything")
    void unicodeDevices() {
        List<DeviceWindow> rows = List.of(
                Blocks.window("' OR 1=1 --", MINUTE),
                Blocks.window("a\tb\nc\\", MINUTE),
                Blocks.window("größe", MINUTE),
                Blocks.window("x".repeat(5000), MINUTE),
                Blocks.window("設備", MINUTE),
                Blocks.window("\uD83D\uDE00", MINUTE));
        client.insert(Blocks.block(1, rows));
        assertThat(windows()).containsExactlyElementsOf(rows);
    }

    @Test
    @DisplayName("a token that is repeated is stored once")
    void repeatedToken() {
        StoreBlock block = Blocks.block(1, Blocks.windows(100, MINUTE));
        for (int i = 0; i < 3; i++) {
            client.insert(block);
        }
        assertThat(client.extent().windows()).isEqualTo(100);
    }

    @Test
    @DisplayName("a token that is repeated by several clients at once is stored once")
    void repeatedTokenAtOnce() {
        StoreBlock block = Blocks.block(1, Blocks.windows(100, MINUTE));
        CompletableFuture<?>[] inserts = new CompletableFuture<?>[6];
        Arrays.setAll(
                inserts,
                i -> CompletableFuture.runAsync(() -> {
                    try (StoreClient another = store().connect(local.options())) {
                        another.insert(block);
                    }
                }));
        CompletableFuture.allOf(inserts).orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(client.extent().windows()).isEqualTo(100);
    }

    @Test
    @DisplayName("a block with a bad row is refused with the store's words, and nothing of it is stored")
    void badRow() {
        StoreBlock good = Blocks.block(MINUTE, Blocks.windows(100, MINUTE));
        byte[] cut = Arrays.copyOf(good.bytes(), good.bytes().length - 3);
        StoreBlock bad = new StoreBlock(good.table(), good.token(), 0, 1, MINUTE, good.rows(), cut);
        assertThatThrownBy(() -> client.insert(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("row 99");
        assertThat(client.extent()).isEqualTo(new Extent(Long.MIN_VALUE, Long.MIN_VALUE, 0, 0, 0, Long.MIN_VALUE));
        client.insert(good);
        assertThat(client.extent().windows()).isEqualTo(100);
    }

    @Test
    @DisplayName("a block that does not hold as many rows as it says is refused")
    void wrongCount() {
        StoreBlock good = Blocks.block(MINUTE, Blocks.windows(3, MINUTE));
        StoreBlock bad = new StoreBlock(good.table(), good.token(), 0, 1, MINUTE, 4, good.bytes());
        assertThatThrownBy(() -> client.insert(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 rows")
                .hasMessageContaining("4");
        assertThat(client.extent().windows()).isZero();
    }

    @Test
    @DisplayName("the table is complete as far as the slowest writer is, and a watermark needs no row")
    void completeTo() {
        client.insert(Blocks.block(0, 2, 99_999, List.of()));
        assertThat(client.completeTo()).isEqualTo(Long.MIN_VALUE);
        client.insert(Blocks.block(1, 2, 59_999, List.of()));
        assertThat(client.completeTo()).isEqualTo(60_000);
        client.insert(Blocks.block(1, 2, 79_999, List.of()));
        assertThat(client.completeTo()).isEqualTo(80_000);
        assertThat(client.extent().completeTo()).isEqualTo(80_000);
    }

    @Test
    @DisplayName("a watermark never goes back, and the end of the input completes everything")
    void completeToNeverGoesBack() {
        client.insert(Blocks.block(59_999, List.of()));
        client.insert(Blocks.block(9_999, List.of()));
        client.insert(Blocks.block(Long.MIN_VALUE, Blocks.windows(1, MINUTE)));
        assertThat(client.completeTo()).isEqualTo(60_000);
        client.insert(Blocks.block(Long.MAX_VALUE, List.of()));
        assertThat(client.completeTo()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("with another number of writers the table stays complete until all the new ones have reported")
    void completeToOverRescaling() {
        client.insert(Blocks.block(0, 2, 59_999, List.of()));
        client.insert(Blocks.block(1, 2, 69_999, List.of()));
        for (int writer = 0; writer < 3; writer++) {
            assertThat(client.completeTo()).isEqualTo(60_000);
            client.insert(Blocks.block(writer, 3, 99_999, List.of()));
        }
        assertThat(client.completeTo()).isEqualTo(100_000);
    }

    @Test
    @DisplayName("windows come in order of window end, then device, from after the first to the second bound")
    void rangeAndOrder() {
        List<DeviceWindow> rows = new ArrayList<>();
        for (long end = 3 * MINUTE; end >= MINUTE; end -= MINUTE) {
            rows.add(Blocks.window("b", end));
            rows.add(Blocks.window("a", end));
        }
        client.insert(Blocks.block(1, rows));
        assertThat(windows(MINUTE, 3 * MINUTE))
                .containsExactly(
                        Blocks.window("a", 2 * MINUTE),
                        Blocks.window("b", 2 * MINUTE),
                        Blocks.window("a", 3 * MINUTE),
                        Blocks.window("b", 3 * MINUTE));
        assertThat(windows(3 * MINUTE, Long.MAX_VALUE)).isEmpty();
        assertThat(client.extent().lastWindowEnd()).isEqualTo(3 * MINUTE);
    }

    @Test
    @DisplayName("many windows come back all and in order")
    void manyRows() {
        List<DeviceWindow> expected = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            List<DeviceWindow> rows = new ArrayList<>();
            for (int device = 10_000; device < 20_000; device++) {
                rows.add(Blocks.window("device-" + device, i * MINUTE));
            }
            client.insert(Blocks.block(i, rows));
            expected.addAll(rows);
        }
        assertThat(windows().equals(expected)).isTrue();
    }

    @Test
    @DisplayName(
            "dead letters are there once, with every byte of a payload of megabytes, in order of partition and position")
    void deadLettersOnce() {
        List<DeadLetter> letters = new ArrayList<>();
        for (int partition = 0; partition < 3; partition++) {
            for (long offset = 0; offset < 25; offset++) {
                letters.add(Blocks.deadLetter(partition, offset, 100));
            }
        }
        letters.add(Blocks.deadLetter(3, 0, 2_000_000));
        letters.add(Blocks.deadLetter(3, 1, 0));
        StoreBlock block = Blocks.deadLetters(letters);
        client.insert(block);
        client.insert(block);
        assertThat(deadLetters()).containsExactlyElementsOf(letters);
        assertThat(client.extent().deadLetters()).isEqualTo(letters.size());
    }

    @Test
    @DisplayName(
            "of a device's event type the newest latest time counts, whatever order it came in, and its blocks say how far")
    void latestTimes() {
        List<LatestTime> first = Blocks.latestTimes(1000, MINUTE);
        client.insert(Blocks.latestTimes(MINUTE - 1, first));
        assertThat(client.extent().completeTo()).isEqualTo(MINUTE);
        List<LatestTime> newest = Blocks.latestTimes(600, 4 * MINUTE);
        List<LatestTime> both = new ArrayList<>(Blocks.latestTimes(600, 3 * MINUTE));
        both.addAll(newest);
        StoreBlock block = Blocks.latestTimes(4 * MINUTE - 1, both);
        client.insert(block);
        client.insert(block);
        client.insert(Blocks.latestTimes(4 * MINUTE - 1, Blocks.latestTimes(600, 2 * MINUTE)));

        List<LatestTime> expected = new ArrayList<>(newest);
        expected.addAll(first.subList(600, 1000));
        expected.sort(Comparator.comparing(LatestTime::deviceId).thenComparing(LatestTime::eventType));
        List<LatestTime> there = new ArrayList<>();
        client.latestTimes(there::add);
        assertThat(there).isEqualTo(expected);
        assertThat(client.extent().latestTimes()).isEqualTo(1000);
        assertThat(client.extent().completeTo()).isEqualTo(4 * MINUTE);
    }

    @Test
    @DisplayName("rows can be queried in SQL, by the columns' names")
    void query() {
        client.insert(Blocks.block(1, Blocks.windows(5, MINUTE)));
        List<Map<String, Object>> rows = client.query(
                "SELECT device_id, window_end, co2_max FROM windows WHERE device_id >= 'device-3' ORDER BY device_id DESC");
        assertThat(rows).extracting(row -> row.get("device_id")).containsExactly("device-4", "device-3");
        assertThat(((Number) rows.get(0).get("window_end")).longValue()).isEqualTo(MINUTE);
        assertThat(rows.get(0).get("co2_max"))
                .isEqualTo(Blocks.window("device-4", MINUTE).values().max[3]);
    }

    @Test
    @DisplayName("each device's newest window, its hours, its errors and its moves are views")
    void views() {
        long hour = 3_600_000;
        List<DeviceWindow> rows = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            rows.addAll(Blocks.windows(20, 10 * hour + (30 + i) * MINUTE));
        }
        client.insert(Blocks.block(1, rows.subList(0, 700)));
        client.insert(Blocks.block(2, rows.subList(700, 1200)));
        List<DeviceWindow> newest = rows.subList(1180, 1200);
        List<DeviceWindow> before = rows.subList(1160, 1180);

        assertThat(view(StoreView.LATEST_PER_DEVICE, "device_id"))
                .extracting(row -> row.get("device_id") + " " + row.get("window_end"))
                .containsExactlyElementsOf(newest.stream()
                        .map(row -> row.deviceId() + " " + row.windowEnd())
                        .sorted()
                        .toList());
        assertThat(view(StoreView.DEVICES_IN_ERROR, "device_id"))
                .extracting(row -> row.get("device_id"))
                .containsExactlyElementsOf(newest.stream()
                        .filter(row -> row.values().statusReadings[Status.ERROR.ordinal()] > 0)
                        .map(DeviceWindow::deviceId)
                        .sorted()
                        .toList())
                .isNotEmpty();

        List<Map<String, Object>> hours = view(StoreView.HOURLY_ROLLUP, "device_id, hour");
        assertThat(hours).hasSize(40);
        List<DeviceWindow> whole = rows.stream()
                .filter(row -> row.deviceId().equals("device-0") && row.windowStart() < 11 * hour)
                .toList();
        Map<String, Object> first = hours.get(0);
        assertThat(number(first, "hour")).isEqualTo(10 * hour);
        assertThat(number(first, "windows")).isEqualTo(whole.size());
        long readings = whole.stream().mapToLong(row -> row.values().readings).sum();
        assertThat(number(first, "readings")).isEqualTo(readings);
        int co2 = Measure.CO2.ordinal();
        assertThat((Double) first.get("co2_min"))
                .isEqualTo(whole.stream()
                        .mapToDouble(row -> row.values().min[co2])
                        .min()
                        .orElseThrow());
        assertThat((Double) first.get("co2_mean"))
                .isCloseTo(
                        whole.stream().mapToDouble(row -> row.values().sum[co2]).sum() / readings, offset(1e-9));

        List<Map<String, Object>> movers = client.query("SELECT * FROM " + StoreView.TOP_MOVERS.sqlName());
        assertThat(movers).hasSize(20);
        assertThat((Double) movers.get(0).get("temperature_change"))
                .isCloseTo(
                        IntStream.range(0, 20)
                                .mapToDouble(i -> mean(newest.get(i)) - mean(before.get(i)))
                                .boxed()
                                .max(Comparator.comparingDouble(Math::abs))
                                .orElseThrow(),
                        offset(1e-9));
    }

    private static double mean(DeviceWindow window) {
        return window.values().sum[Measure.TEMPERATURE.ordinal()] / window.values().readings;
    }

    private static long number(Map<String, Object> row, String column) {
        return ((Number) row.get(column)).longValue();
    }

    private List<Map<String, Object>> view(StoreView view, String order) {
        return client.query("SELECT * FROM " + view.sqlName() + " ORDER BY " + order);
    }

    @Test
    @DisplayName("a text in a query is what it was")
    void literal() {
        for (String text : List.of("it's", "back\\slash", "two''", "größe", "\\'")) {
            assertThat(client.query("SELECT " + client.literal(text) + " AS text"))
                    .extracting(row -> row.get("text"))
                    .containsExactly(text);
        }
    }

    @Test
    @DisplayName("a query that would change something is refused with a sentence and changes nothing")
    void readOnly() {
        client.insert(Blocks.block(1, Blocks.windows(5, MINUTE)));
        for (String sql : List.of(
                "DELETE FROM windows WHERE readings > 0",
                "DROP TABLE windows",
                "INSERT INTO windows SELECT * FROM windows",
                "CREATE TABLE mine (a INTEGER)",
                "SELECT 1; DROP TABLE windows")) {
            assertThatThrownBy(() -> client.query(sql))
                    .as(sql)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
        }
        assertThat(client.extent().windows()).isEqualTo(5);
    }

    @Test
    @DisplayName("a query that is wrong is refused with the store's words")
    void wrongQuery() {
        assertThatThrownBy(() -> client.query("SELECT colour FROM windows"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("colour");
        assertThatThrownBy(() -> client.query("SELEC 1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("rows can be read while others are inserted, and a block is seen whole or not at all")
    void readWhileInserting() {
        CompletableFuture<Void> inserts = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= 30; i++) {
                client.insert(Blocks.block(i * MINUTE - 1, Blocks.windows(100, i * MINUTE)));
            }
        });
        long seen = 0;
        while (!inserts.isDone()) {
            Extent extent = client.extent();
            assertThat(extent.windows()).isGreaterThanOrEqualTo(seen).matches(count -> count % 100 == 0);
            seen = extent.windows();
            assertThat(windows().size() % 100).isZero();
            assertThat(client.query("SELECT count(*) AS n FROM windows")).hasSize(1);
        }
        inserts.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(client.extent().windows()).isEqualTo(3000);
    }
}
