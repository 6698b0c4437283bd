package dev.millrace.connectors.stores.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.api.store.LocalStore;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.testkit.monitoring.MetricTable;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.connectors.testkit.store.ClickHouseEngine;
import dev.millrace.connectors.testkit.store.HttpFaults;
import dev.millrace.connectors.testkit.store.ResultStoreContract;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@DisplayName("ClickHouse as a store, on its current engine")
class ClickHouseContractTest extends ResultStoreContract {
    @Override
    protected String name() {
        return "clickhouse";
    }

    @Override
    protected LocalStore startServer(Path directory, Options options) {
        return ClickHouseEngine.start(directory);
    }

    @Override
    protected StoreClient connectRetaining(String retention) {
        new ClickHouseStore().drop(local.options());
        return new ClickHouseStore().connect(local.options().with("retention", retention));
    }

    @Override
    protected Predicate<URI> isInsert() {
        return ClickHouseContractTest::isInsert;
    }

    static boolean isInsert(URI request) {
        return String.valueOf(request.getQuery()).contains("INSERT INTO");
    }

    @Override
    protected long storedRows() {
        return withoutFinal(client);
    }

    /** Rows of the windows table as they lie there. */
    static long withoutFinal(StoreClient client) {
        String sql = "SELECT count() AS n FROM windows SETTINGS final = 0";
        return ((Number) client.query(sql).get(0).get("n")).longValue();
    }

    private void execute(String sql) {
        try (Connection connection = new Connection(ClickHouseSettings.bind(local.options()))) {
            connection.execute(sql);
        }
    }

    @Test
    @DisplayName("the metrics that alerts and dashboards ask for are in the tables that a server makes its page of")
    void metrics() {
        client.insert(Blocks.block(1, Blocks.windows(10, 60_000)));
        StringBuilder page = new StringBuilder();
        Map.of("system.metrics", "Metrics", "system.events", "ProfileEvents").forEach((table, prefix) -> client.query(
                        "SELECT " + (table.endsWith("events") ? "event" : "metric") + " AS name FROM " + table)
                .forEach(row -> page.append("ClickHouse" + prefix + "_" + row.get("name") + " 1\n")));
        MetricTable table = MetricTable.neutral();
        assertThat(table.of("clickhouse")).hasSizeGreaterThan(3);
        assertThat(table.missing("clickhouse", page.toString())).isEmpty();
    }

    @Test
    @DisplayName("a server with too many parts, too many queries or no memory takes the block later, once")
    void overload() {
        for (int code : List.of(252, 202, 241, 745)) {
            faults.next(new HttpFaults.Fault.Answer(500, code, "Code: " + code + ". DB::Exception: overload"));
        }
        spoilt.insert(Blocks.block(1, Blocks.windows(10, 60_000)));
        assertThat(faults.waiting()).isZero();
        assertThat(storedRows()).isEqualTo(10);
    }

    @Test
    @DisplayName(
            "a row that the server refuses fails with the server's code and words, and nothing of the block is stored")
    void refusedRow() {
        execute("ALTER TABLE windows ADD CONSTRAINT mine CHECK device_id != 'device-7'");
        assertThatThrownBy(() -> spoilt.insert(Blocks.block(59_999, Blocks.windows(10, 60_000))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Code: 469")
                .hasMessageContaining("mine");
        assertThat(faults.inserts()).hasSize(1);
        assertThat(storedRows()).isZero();
        assertThat(client.extent().completeTo()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    @DisplayName("in the mode at-least-once, on a table that forgets tokens, rows that come again are shown once")
    void atLeastOnce() {
        for (String table : List.of("windows", "dead_letters")) {
            execute("ALTER TABLE " + table + " MODIFY SETTING non_replicated_deduplication_window = 0");
        }
        assertThatThrownBy(client::prepare)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'windows' forgets tokens at once")
                .hasMessageContaining("'dead_letters' forgets tokens at once")
                .hasMessageContaining("MODIFY SETTING non_replicated_deduplication_window = 1000");
        Options twice = local.options().with("url", faults.url()).with("mode", "at-least-once");
        try (StoreClient again = new ClickHouseStore().connect(twice)) {
            again.prepare();
            faults.next(new HttpFaults.Fault.AnswerLost());
            again.insert(Blocks.block(1, Blocks.windows(100, 60_000)));
        }
        assertThat(storedRows()).isEqualTo(200);
        assertThat(client.extent().windows()).isEqualTo(100);
        assertThat(windows()).hasSize(100);
    }

    @Test
    @DisplayName(
            "a server that knows a block whose rows are not there, as one that was killed in between, gets them again")
    void knownWithoutRows() {
        List<StoreBlock> blocks = List.of(
                Blocks.block(1, Blocks.windows(100, 60_000)),
                Blocks.deadLetters(List.of(Blocks.deadLetter(0, 1, 10))),
                Blocks.latestTimes(1, Blocks.latestTimes(5, 60_000)));
        blocks.forEach(client::insert);
        // A mutation leaves the tokens where they are.
        for (String table : List.of("windows", "dead_letters", "latest_times")) {
            execute("ALTER TABLE " + table + " DELETE WHERE 1 SETTINGS mutations_sync = 2");
        }
        assertThat(storedRows()).isZero();
        blocks.forEach(client::insert);
        assertThat(storedRows()).isEqualTo(100);
        StoreClient.Extent extent = client.extent();
        assertThat(extent.deadLetters()).isEqualTo(1);
        assertThat(extent.latestTimes()).isEqualTo(5);
        blocks.forEach(client::insert);
        assertThat(storedRows()).as("what is there does not come again").isEqualTo(100);
    }

    @Test
    @DisplayName("an insert carries its token, waits for its rows and is compressed")
    void parameters() {
        StoreBlock block = Blocks.block(1, Blocks.windows(100, 60_000));
        spoilt.insert(block);
        assertThat(faults.inserts().get(0).getQuery())
                .contains("insert_deduplication_token=" + block.token())
                .contains("insert_deduplicate=1")
                .contains("async_insert=0")
                .contains("decompress=1")
                .contains("FORMAT RowBinary");
    }

    @Test
    @DisplayName("a person's query gives a bounded number of rows")
    void queryIsBounded() {
        assertThat(client.query("SELECT number FROM numbers(10000)")).hasSize(10_000);
        assertThatThrownBy(() -> client.query("SELECT number FROM numbers(10001)"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10");
    }

    @Test
    @DisplayName("a table that is there and does not fit is refused with all that is wrong")
    void otherTables() {
        new ClickHouseStore().drop(local.options());
        execute("CREATE TABLE windows (device_id String, window_start Int64, readings Int32, mine String)"
                + " ENGINE = MergeTree ORDER BY device_id");
        assertThatThrownBy(client::prepare)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("table 'windows' has no column window_end (Int64)")
                .hasMessageContaining("table 'windows' has column readings as Int32; it must be Int64")
                .hasMessageContaining("engine MergeTree; it must be a ReplacingMergeTree");
    }

    @Test
    @DisplayName("dropping leaves what is not its own")
    void drop() {
        Options own = local.options().with("database", "mine");
        try (StoreClient other = new ClickHouseStore().connect(own)) {
            other.prepare();
            other.insert(Blocks.block(1, Blocks.windows(5, 60_000)));
        }
        client.insert(Blocks.block(1, Blocks.windows(7, 60_000)));
        new ClickHouseStore().drop(own);
        new ClickHouseStore().drop(own);
        assertThat(client.extent().windows()).isEqualTo(7);
        assertThat(client.query("SELECT name FROM system.databases WHERE name = 'mine'"))
                .isEmpty();
    }

    @Test
    @DisplayName("with a retention rows of a time that its seconds cannot count stay")
    void farTimes() {
        client.close();
        client = connectRetaining("30d");
        client.prepare();
        Position position = new Position(0, 1);
        long year9999 = 253_370_764_800_000L;
        client.insert(Blocks.block(1, List.of(Blocks.window("d", year9999))));
        client.insert(Blocks.deadLetters(
                List.of(new DeadLetter(DeadLetter.Reason.LATE, 0, position, year9999, new byte[] {1}))));
        assertThat(client.extent().windows()).isOne();
        assertThat(client.extent().deadLetters()).isOne();
    }

    @Test
    @DisplayName("a block may hold windows of more months than a server takes in one insert by itself")
    void manyMonths() {
        List<DeviceWindow> rows = new ArrayList<>();
        for (int month = 0; month < 120; month++) {
            rows.add(Blocks.window("d", Duration.ofDays(31L * (month + 1)).toMillis()));
        }
        client.insert(Blocks.block(1, rows));
        assertThat(client.extent().windows()).isEqualTo(120);
    }

    @Test
    @DisplayName("two tokens with the same rows are both taken, and FINAL shows one of each")
    void sameRowsTwice() {
        List<DeviceWindow> rows = Blocks.windows(10, 60_000);
        client.insert(Blocks.block(1, rows));
        client.insert(Blocks.block(1, rows));
        assertThat(storedRows()).isEqualTo(20);
        assertThat(client.extent().windows()).isEqualTo(10);
        assertThat(windows()).containsExactlyElementsOf(rows);
        assertThat(client.query("SELECT * FROM latest_per_device")).hasSize(10);
        assertThat(((Number) client.query("SELECT sum(windows) AS n FROM hourly_rollup")
                                .get(0)
                                .get("n"))
                        .longValue())
                .isEqualTo(10);
    }

    @Test
    @DisplayName("rows of a large table are counted without merging them")
    void manyRows() {
        List<DeviceWindow> rows = Blocks.windows(10, 60_000);
        client.insert(Blocks.block(1, rows));
        client.insert(Blocks.block(1, rows));
        try (ClickHouseStoreClient here = ClickHouseStoreClient.connect(ClickHouseSettings.bind(local.options()))) {
            assertThat(here.extent(20)).isEqualTo(client.extent());
            assertThat(here.extent(19).windows()).isEqualTo(20);
            assertThat(here.extent(19).lastWindowEnd())
                    .isEqualTo(client.extent().lastWindowEnd());
        }
    }
}
