package dev.millrace.connectors.stores.clickhouse;

import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.RowColumns.Column;
import dev.millrace.connectors.api.store.RowColumns.Type;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.connectors.api.store.StoreView;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes this store's tables where they are missing, and refuses those that are there and do not fit, with all that is wrong. */
final class Tables {
    static final String PROGRESS = "progress";

    /** So many blocks back a token is known: at two blocks a second eight minutes, and a block waits two at most. */
    private static final int DEDUPLICATION_WINDOW = 1000;

    private static final long MOST_SECONDS = 0xFFFF_FFFFL;

    private static final Pattern SECONDS = Pattern.compile("TTL .*?(?:toIntervalSecond\\(|INTERVAL )(\\d+)");

    /**
     * A table as it must be.
     *
     * @param version the column whose greatest value wins among rows of one key; empty: the last inserted
     */
    private record Shape(
            String name, List<Column> columns, String version, String orderBy, String partitionBy, String endMillis) {

        Optional<String> replacing() {
            return version.isEmpty() ? Optional.empty() : Optional.of(version);
        }
    }

    private static final List<Shape> SHAPES = List.of(
            new Shape(
                    StoreTable.WINDOWS.sqlName(),
                    RowColumns.of(StoreTable.WINDOWS),
                    "readings",
                    "device_id, window_start",
                    "toYYYYMM(fromUnixTimestamp64Milli(window_end, 'UTC'))",
                    "window_end"),
            new Shape(
                    StoreTable.DEAD_LETTERS.sqlName(),
                    RowColumns.of(StoreTable.DEAD_LETTERS),
                    "",
                    "partition, position_major, position_minor",
                    "",
                    "event_time"),
            // Its rows stay: a device that has been silent for longer than windows are kept is the one that is asked
            // for.
            new Shape(
                    StoreTable.LATEST_TIMES.sqlName(),
                    RowColumns.of(StoreTable.LATEST_TIMES),
                    "as_of",
                    "device_id, event_type",
                    "",
                    ""),
            new Shape(
                    PROGRESS,
                    List.of(
                            new Column("writers", Type.INT32),
                            new Column("writer", Type.INT32),
                            new Column("watermark", Type.INT64)),
                    "watermark",
                    "writers, writer",
                    "",
                    ""));

    private final Connection connection;
    private final ClickHouseSettings settings;

    Tables(Connection connection, ClickHouseSettings settings) {
        this.connection = connection;
        this.settings = settings;
    }

    /** Makes the database, the tables and the views that are missing; throws UserException where one does not fit. */
    void prepare() {
        if (!databaseIsThere()) {
            connection.execute("CREATE DATABASE IF NOT EXISTS `" + settings.database() + "`" + onCluster());
        }
        List<String> problems = new ArrayList<>();
        for (Shape shape : SHAPES) {
            if (columns(shape).isEmpty()) {
                connection.execute(create(shape));
            }
            check(shape, problems);
        }
        if (!problems.isEmpty()) {
            throw new UserException("the tables in database '" + settings.database() + "' of " + connection.server()
                    + " cannot be used: " + String.join("; ", problems));
        }
        Set<String> there = names();
        for (StoreView view : StoreView.values()) {
            if (there.contains(view.sqlName())) {
                // Of a cluster every host must answer a statement that makes something: one that is away must not be
                // asked
                // for what is there.
                continue;
            }
            connection.execute("CREATE VIEW IF NOT EXISTS " + settings.table(view.sqlName()) + onCluster() + " AS "
                    + bound(view.sql(Tables.class)));
        }
    }

    /** A view is read from any database: its tables are named in full. */
    private String bound(String sql) {
        return sql.replace("{windows}", settings.table(StoreTable.WINDOWS.sqlName()));
    }

    /** Drops what {@link #prepare} makes, and the database where nothing else is in it. */
    void drop() {
        if (!databaseIsThere()) {
            return;
        }
        for (StoreView view : StoreView.values()) {
            connection.execute("DROP VIEW IF EXISTS " + settings.table(view.sqlName()) + onCluster());
        }
        SHAPES.forEach(shape ->
                connection.execute("DROP TABLE IF EXISTS " + settings.table(shape.name()) + onCluster() + " SYNC"));
        if (names().isEmpty() && !settings.database().equals("default")) {
            connection.execute("DROP DATABASE IF EXISTS `" + settings.database() + "`" + onCluster());
        }
    }

    private Set<String> names() {
        return connection.rows("SELECT name FROM system.tables WHERE database = '" + settings.database() + "'").stream()
                .map(row -> String.valueOf(row.get("name")))
                .collect(Collectors.toSet());
    }

    private boolean databaseIsThere() {
        return !connection
                .rows("SELECT name FROM system.databases WHERE name = '" + settings.database() + "'")
                .isEmpty();
    }

    private String onCluster() {
        return settings.cluster().isEmpty() ? "" : " ON CLUSTER `" + settings.cluster() + "`";
    }

    private String create(Shape shape) {
        String engine = settings.cluster().isEmpty()
                ? "ReplacingMergeTree(" + shape.replacing().orElse("") + ")"
                : "ReplicatedReplacingMergeTree(" + place(shape)
                        + shape.replacing().map(version -> ", " + version).orElse("") + ")";
        return "CREATE TABLE IF NOT EXISTS " + settings.table(shape.name()) + onCluster() + " ("
                + shape.columns().stream()
                        .map(column -> "`" + column.name() + "` " + sqlType(column.type()))
                        .collect(Collectors.joining(", "))
                + ") ENGINE = " + engine
                + (shape.partitionBy().isEmpty() ? "" : " PARTITION BY " + shape.partitionBy())
                + " ORDER BY (" + shape.orderBy() + ")"
                + retention(shape)
                        .map(kept -> ttl(shape.endMillis(), kept.toSeconds()))
                        .orElse("")
                + (settings.cluster().isEmpty()
                        // The job gives up a block that was answered, and there is no other server that has it.
                        ? " SETTINGS non_replicated_deduplication_window = " + DEDUPLICATION_WINDOW
                                + ", fsync_after_insert = 1, fsync_part_directory = 1"
                        : "");
    }

    /** The server counts seconds in 32 bits: a time from 2106 on would begin anew in 1970, and be over. */
    private static String ttl(String endMillis, long seconds) {
        return " TTL toDateTime(least(intDiv(" + endMillis + ", 1000), " + (MOST_SECONDS - seconds)
                + ")) + toIntervalSecond(" + seconds + ")";
    }

    /**
     * Where the replicas of a table find each other, always the same: the server's own default has a new id in it each time, so a
     * replica that came back with an empty disk would get a table of its own, and a part of the rows would be there alone. So it is
     * told that it is a replica already (253), and a person drops the lost one first.
     */
    private String place(Shape shape) {
        return "'/clickhouse/tables/{shard}/" + settings.database() + "/" + shape.name() + "', '{replica}'";
    }

    private Optional<Duration> retention(Shape shape) {
        return shape.endMillis().isEmpty() ? Optional.empty() : settings.retention();
    }

    static String sqlType(Type type) {
        return switch (type) {
            case STRING, BYTES -> "String";
            case INT32 -> "Int32";
            case INT64 -> "Int64";
            case FLOAT64 -> "Float64";
        };
    }

    private Map<String, String> columns(Shape shape) {
        Map<String, String> columns = new LinkedHashMap<>();
        connection
                .rows("SELECT name, type FROM system.columns WHERE database = '" + settings.database()
                        + "' AND table = '" + shape.name() + "' ORDER BY position")
                .forEach(row -> columns.put((String) row.get("name"), (String) row.get("type")));
        return columns;
    }

    private void check(Shape shape, List<String> problems) {
        Map<String, String> there = columns(shape);
        String table = "table '" + shape.name() + "'";
        for (Column column : shape.columns()) {
            String type = there.get(column.name());
            String right = sqlType(column.type());
            if (type == null) {
                problems.add(table + " has no column " + column.name() + " (" + right + ")");
            } else if (!type.equals(right) && !type.equals("LowCardinality(" + right + ")")) {
                problems.add(table + " has column " + column.name() + " as " + type + "; it must be " + right);
            }
        }
        Map<String, Object> about = connection
                .rows("SELECT engine, engine_full, sorting_key FROM system.tables WHERE database = '"
                        + settings.database() + "' AND name = '" + shape.name() + "'")
                .get(0);
        String engine = String.valueOf(about.get("engine"));
        String full = String.valueOf(about.get("engine_full"));
        if (!engine.endsWith("ReplacingMergeTree")) {
            problems.add(table + " has engine " + engine + "; it must be a ReplacingMergeTree, or a block that is sent"
                    + " again counts twice");
            return;
        }
        if (engine.equals("ReplacingMergeTree") && !settings.cluster().isEmpty()) {
            problems.add(table + " is one of a single server, with no replicas, where 'cluster' is "
                    + settings.cluster() + ": name another database, drop the tables, or leave 'cluster' out");
        }
        shape.replacing()
                .filter(version -> !versions(full, version))
                .ifPresent(version -> problems.add(table + " is " + engine + " without the version '" + version
                        + "', by which the right row is kept"));
        if (!about.get("sorting_key").equals(shape.orderBy())) {
            problems.add(table + " is ordered by (" + about.get("sorting_key") + "); it must be (" + shape.orderBy()
                    + "), which is what makes rows the same");
        }
        checkTokens(shape, engine, full, problems);
        checkRetention(shape, full, problems);
    }

    private static boolean versions(String engineFull, String column) {
        Matcher arguments = Pattern.compile("ReplacingMergeTree\\(([^)]*)\\)").matcher(engineFull);
        return arguments.find() && (", " + arguments.group(1)).contains(", " + column);
    }

    private void checkTokens(Shape shape, String engine, String full, List<String> problems) {
        if (!settings.isExactlyOnce() || shape.name().equals(PROGRESS)) {
            return;
        }
        boolean replicated = !engine.equals("ReplacingMergeTree");
        String setting = replicated ? "replicated_deduplication_window" : "non_replicated_deduplication_window";
        Matcher own = Pattern.compile("\\b" + (replicated ? "(?<!non_)" : "") + setting + " = (\\d+)")
                .matcher(full);
        long window = own.find() ? Long.parseLong(own.group(1)) : serverDefault(setting);
        if (window == 0) {
            problems.add("table '" + shape.name() + "' forgets tokens at once (" + setting
                    + " is 0), so a block that is sent again would be stored again: ALTER TABLE "
                    + settings.table(shape.name()) + " MODIFY SETTING " + setting + " = " + DEDUPLICATION_WINDOW
                    + ", or choose mode 'at-least-once'");
        }
    }

    private long serverDefault(String setting) {
        List<Map<String, Object>> rows = connection.rows(
                "SELECT toInt64(value) AS value FROM system.merge_tree_settings WHERE name = '" + setting + "'");
        return rows.isEmpty() ? 0 : ((Number) rows.get(0).get("value")).longValue();
    }

    private void checkRetention(Shape shape, String full, List<String> problems) {
        Optional<Duration> kept = retention(shape);
        Matcher there = SECONDS.matcher(full);
        boolean isThere = !shape.endMillis().isEmpty() && there.find();
        if (kept.isEmpty()) {
            if (isThere) {
                // The audit would miss what the server has dropped.
                problems.add("table '" + shape.name() + "' has a TTL of " + there.group(1)
                        + " s where 'retention' is not set: set it to " + there.group(1) + "s, or ALTER TABLE "
                        + settings.table(shape.name()) + " REMOVE TTL");
            }
            return;
        }
        String found = isThere ? there.group(1) + " s" : "no TTL";
        if (!found.equals(kept.get().toSeconds() + " s")) {
            problems.add("table '" + shape.name() + "' has " + found + " where 'retention' is "
                    + kept.get().toSeconds() + " s: ALTER TABLE " + settings.table(shape.name()) + " MODIFY"
                    + ttl(shape.endMillis(), kept.get().toSeconds()) + ", or "
                    + (isThere ? "make 'retention' what the table has" : "leave 'retention' out"));
        }
    }
}
