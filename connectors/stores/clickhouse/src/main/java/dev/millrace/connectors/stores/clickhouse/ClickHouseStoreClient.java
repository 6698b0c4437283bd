package dev.millrace.connectors.stores.clickhouse;

import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.RowColumns.Column;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Blocks into a server's tables and rows out of them. Thread-safe. */
final class ClickHouseStoreClient implements StoreClient {
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(30);
    /** What expires within this goes while somebody who was told how far rows reach reads them. */
    private static final Duration EXPIRING = Duration.ofSeconds(30);

    /** A server merges some 20 million rows a second to count them, and whoever looks at a stack counts again and again. */
    private static final long MERGED_UP_TO = 10_000_000;

    private static final List<String> PROGRESS_COLUMNS = List.of("writers", "writer", "watermark");

    private final ClickHouseSettings settings;
    private final Connection connection;
    private final Tables tables;

    private ClickHouseStoreClient(ClickHouseSettings settings) {
        this.settings = settings;
        this.connection = new Connection(settings);
        this.tables = new Tables(connection, settings);
    }

    /** A client whose server has answered. */
    static ClickHouseStoreClient connect(ClickHouseSettings settings) {
        ClickHouseStoreClient client = new ClickHouseStoreClient(settings);
        try {
            client.connection.await(CONNECT_BOUND);
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public void prepare() {
        tables.prepare();
        if (isTokenDoubted()) {
            // A right that is missing is said before the job starts.
            leftOut();
        }
    }

    /** As {@link ClickHouseStore#drop}. */
    void drop() {
        tables.drop();
    }

    /** Rows first, then how far they reach: who dies in between says both again, and the rows' token is known. */
    @Override
    public void insert(StoreBlock block) {
        RowBinary.check(block);
        StoreTable table = block.table();
        if (block.rows() > 0) {
            insertRows(block);
        }
        if (table.reportsProgress() && block.watermark() != Long.MIN_VALUE) {
            ByteBuffer row = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            row.putInt(block.writers()).putInt(block.writer()).putLong(block.watermark());
            connection.insert(Tables.PROGRESS, PROGRESS_COLUMNS, row.array(), "");
        }
    }

    private void insertRows(StoreBlock block) {
        String table = block.table().sqlName();
        List<String> columns = names(block.table());
        String token = settings.isExactlyOnce() ? block.token() : "";
        boolean doubted = isTokenDoubted();
        long leftOutBefore = doubted ? leftOut() : 0;
        int sent = connection.insert(table, columns, block.bytes(), token);
        if (doubted && (sent > 1 || leftOut() != leftOutBefore) && !hasRows(block)) {
            // The token is spent.
            connection.insert(table, columns, block.bytes(), "");
        }
    }

    /**
     * Whether a token that the server knows is no proof that the rows are there. A server by itself notes it before them (its
     * MergeTreeSink): killed in between, it knows a block that it does not have. Replicas note both in one transaction of Keeper,
     * and one of them that lags would look as if it had none.
     */
    private boolean isTokenDoubted() {
        return settings.isExactlyOnce() && settings.cluster().isEmpty();
    }

    /** How many blocks the server has left out since it started, because it knew their tokens. */
    private long leftOut() {
        List<Map<String, Object>> rows =
                connection.rows("SELECT value AS n FROM system.events WHERE event = 'DuplicatedInsertedBlocks'");
        return rows.isEmpty() ? 0 : number(rows.get(0), "n");
    }

    /** Whether all rows of a block are there; one that another has replaced since is not, and does no harm when it comes again. */
    private boolean hasRows(StoreBlock block) {
        RowBinary.Decoder rows = new RowBinary.Decoder(new ByteArrayInputStream(block.bytes()));
        return switch (block.table()) {
            case WINDOWS -> {
                Set<DeviceWindow> missing = all(rows::nextWindow);
                LongSummaryStatistics ends =
                        missing.stream().mapToLong(DeviceWindow::windowEnd).summaryStatistics();
                windows(ends.getMin() - 1, ends.getMax(), missing::remove);
                yield missing.isEmpty();
            }
            case LATEST_TIMES -> {
                Set<LatestTime> missing = all(rows::nextLatestTime);
                latestTimes(" WHERE " + spans("as_of", missing.stream().mapToLong(LatestTime::asOf)), missing::remove);
                yield missing.isEmpty();
            }
            case DEAD_LETTERS -> {
                Set<DeadLetter> missing = all(rows::nextDeadLetter);
                String where = " WHERE " + spans("partition", missing.stream().mapToLong(DeadLetter::partition))
                        + " AND "
                        + spans("position_major", missing.stream().mapToLong(letter -> letter.position()
                                .major()));
                deadLetters(where, missing::remove);
                yield missing.isEmpty();
            }
        };
    }

    /** Of a table that grows for ever only what a block can have is read. */
    private static String spans(String column, LongStream values) {
        LongSummaryStatistics span = values.summaryStatistics();
        return column + " BETWEEN toInt64('" + span.getMin() + "') AND toInt64('" + span.getMax() + "')";
    }

    /** A row after the other, null behind the last. */
    private interface Rows<R> {
        @Nullable
        R next() throws IOException;
    }

    private static <R> Set<R> all(Rows<R> rows) {
        try {
            Set<R> all = new HashSet<>();
            for (R row = rows.next(); row != null; row = rows.next()) {
                all.add(row);
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(StoreTable table) {
        return RowColumns.of(table).stream().map(Column::name).toList();
    }

    private static String quotedNames(StoreTable table) {
        return RowColumns.of(table).stream()
                .map(column -> "`" + column.name() + "`")
                .collect(Collectors.joining(", "));
    }

    @Override
    public long completeTo() {
        return completeTo(
                connection.rows("SELECT (" + watermark() + ") AS watermark").get(0));
    }

    /** The greatest of a writer's rows is the one that a merge keeps; asked for so, none has to be merged for the answer. */
    private String watermark() {
        return "SELECT toString(max(least)) FROM (SELECT writers, min(reached) AS least FROM"
                + " (SELECT writers, writer, max(watermark) AS reached FROM " + settings.table(Tables.PROGRESS)
                + " GROUP BY writers, writer) GROUP BY writers HAVING count() = writers) HAVING count() > 0";
    }

    private static long completeTo(Map<String, Object> row) {
        Object reported = row.get("watermark");
        long watermark =
                reported == null || reported.toString().isEmpty() ? Long.MIN_VALUE : Long.parseLong(reported + "");
        boolean isBound = watermark == Long.MIN_VALUE || watermark == Long.MAX_VALUE;
        return isBound ? watermark : watermark + 1;
    }

    @Override
    public Extent extent() {
        return extent(MERGED_UP_TO);
    }

    /** @param mergedUpTo in a table of more rows a row that was inserted again counts again until the server merges both */
    Extent extent(long mergedUpTo) {
        Map<String, Object> row = connection
                .rows("SELECT (" + count(StoreTable.WINDOWS) + ") AS windows,"
                        + " (" + count(StoreTable.LATEST_TIMES) + ") AS latest_times,"
                        + " (" + count(StoreTable.DEAD_LETTERS) + ") AS dead_letters,"
                        + " (SELECT max(window_end) FROM " + table(StoreTable.WINDOWS) + ") AS last_window_end,"
                        + " (SELECT max(as_of) FROM " + table(StoreTable.LATEST_TIMES) + ") AS last_as_of,"
                        + " (" + watermark() + ") AS watermark,"
                        + " toUnixTimestamp(now()) AS now")
                .get(0);
        long windows = number(row, "windows");
        long times = number(row, "latest_times");
        long retained = settings.retention()
                .map(kept -> number(row, "now") * 1000 - kept.toMillis() + EXPIRING.toMillis())
                .orElse(Long.MIN_VALUE);
        return new Extent(
                completeTo(row),
                retained,
                merged(StoreTable.WINDOWS, windows, mergedUpTo),
                merged(StoreTable.LATEST_TIMES, times, mergedUpTo),
                merged(StoreTable.DEAD_LETTERS, number(row, "dead_letters"), mergedUpTo),
                // Of an empty table the server says 0.
                Math.max(
                        windows == 0 ? Long.MIN_VALUE : number(row, "last_window_end"),
                        times == 0 ? Long.MIN_VALUE : number(row, "last_as_of")));
    }

    /** Of what the server keeps about its files; it reads no row. */
    private String count(StoreTable table) {
        return "SELECT count() AS counted FROM " + table(table);
    }

    private long merged(StoreTable table, long rows, long mergedUpTo) {
        return rows == 0 || rows > mergedUpTo
                ? rows
                : number(connection.rows(count(table) + " FINAL").get(0), "counted");
    }

    private String table(StoreTable table) {
        return settings.table(table.sqlName());
    }

    private static long number(Map<String, Object> row, String column) {
        return ((Number) row.get(column)).longValue();
    }

    @Override
    public void windows(long from, long to, Consumer<DeviceWindow> consumer) {
        String sql = "SELECT " + quotedNames(StoreTable.WINDOWS) + " FROM "
                + table(StoreTable.WINDOWS) + " FINAL WHERE window_end > toInt64('" + from
                + "') AND window_end <= toInt64('" + to + "')" + notExpired() + " ORDER BY window_end, device_id";
        connection.stream(sql, body -> {
            RowBinary.Decoder rows = new RowBinary.Decoder(body);
            for (DeviceWindow window = rows.nextWindow(); window != null; window = rows.nextWindow()) {
                consumer.accept(window);
            }
        });
    }

    /** The server drops rows of the past when it comes to it; until then they are not there all. */
    private String notExpired() {
        return settings.retention()
                .map(kept -> " AND window_end > (toUnixTimestamp(now()) - " + kept.toSeconds() + ") * 1000")
                .orElse("");
    }

    @Override
    public void latestTimes(Consumer<LatestTime> consumer) {
        latestTimes("", consumer);
    }

    private void latestTimes(String where, Consumer<LatestTime> consumer) {
        String sql = "SELECT " + quotedNames(StoreTable.LATEST_TIMES) + " FROM " + table(StoreTable.LATEST_TIMES)
                + " FINAL" + where + " ORDER BY device_id, event_type";
        connection.stream(sql, body -> {
            RowBinary.Decoder rows = new RowBinary.Decoder(body);
            for (LatestTime row = rows.nextLatestTime(); row != null; row = rows.nextLatestTime()) {
                consumer.accept(row);
            }
        });
    }

    @Override
    public void deadLetters(Consumer<DeadLetter> consumer) {
        deadLetters("", consumer);
    }

    private void deadLetters(String where, Consumer<DeadLetter> consumer) {
        String sql = "SELECT " + quotedNames(StoreTable.DEAD_LETTERS) + " FROM "
                + table(StoreTable.DEAD_LETTERS)
                + " FINAL" + where + " ORDER BY partition, position_major, position_minor";
        connection.stream(sql, body -> {
            RowBinary.Decoder rows = new RowBinary.Decoder(body);
            for (DeadLetter letter = rows.nextDeadLetter(); letter != null; letter = rows.nextDeadLetter()) {
                consumer.accept(letter);
            }
        });
    }

    @Override
    public List<Map<String, Object>> query(String sql) {
        try {
            return connection.readOnlyRows(sql);
        } catch (Connection.Refusal e) {
            if (e.code() == ErrorCodes.READONLY) {
                throw new IllegalArgumentException("only read-only queries: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    @Override
    public String literal(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    @Override
    public void close() {
        connection.close();
    }
}
