package dev.millrace.deploy.command;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.connectors.api.store.StoreView;
import dev.millrace.core.settings.UserException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.deploy.look.Table;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace results}: the newest windows, or what a query gives. */
@CommandLine.Command(
        name = "results",
        description = "Show windows, or latest times, from the store, the newest first.",
        footer = {
            "",
            "The table 'windows' has device_id, window_start, window_end (epoch milliseconds), readings, first_sequence,"
                    + " last_sequence, and of each measure (temperature, humidity, pressure, co2, noise, light, battery,"
                    + " signal_strength) _min, _max and _sum; the mean is _sum / readings. Also error_count, packets_sent,"
                    + " packets_received, bytes_sent, bytes_received, status_ and each status in lower case (readings with"
                    + " it), latest_intended_send_time.",
            "",
            "A stack with --job latest-times has the table 'latest_times' instead: device_id, event_type, latest (event time of"
                    + " its latest reading), readings (how many there were), as_of (before which all are counted).",
            "",
            "Views: latest_per_device (the newest window of each device), hourly_rollup (windows, readings, least, greatest"
                    + " and mean of each measure by device and hour), devices_in_error (whose newest window has readings"
                    + " of status ERROR), top_movers (devices by how far their mean temperature moved last)."
        })
public final class ResultsCommand implements Command {
    private static final int MOST_ROWS = 20;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--device", paramLabel = "ID", description = "only rows of this device")
    @Nullable
    String device;

    @Option(names = "--limit", paramLabel = "N", description = "at most this many (default: 20); not with --sql")
    @Nullable
    Integer limit;

    @Option(names = "--json", description = "one JSON object for each row, with all columns")
    boolean json;

    @Option(
            names = "--sql",
            paramLabel = "QUERY",
            description = "run this read-only query instead, in the store's dialect")
    @Nullable
    String sql;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            description = "the rows of a view instead: latest_per_device, hourly_rollup, devices_in_error, top_movers")
    @Nullable
    String view;

    @Override
    public Integer call() {
        if (limit != null && limit < 1) {
            throw new UserException("--limit is " + limit + "; it must be at least 1");
        }
        if (sql != null && view != null) {
            throw new UserException("--sql and --view exclude each other; name the view in the query");
        }
        if (sql != null && device != null) {
            throw new UserException("--sql and --device exclude each other; put the device into the query");
        }
        if (sql != null && limit != null) {
            throw new UserException("--sql and --limit exclude each other; put the limit into the query");
        }
        PrintWriter out = spec.commandLine().getOut();
        RunDirectory directory = selection.stack();
        boolean latestTimes =
                directory.settings().map(StackSettings::isLatestTimes).orElse(false);
        try (StoreClient store = StackStore.connect(directory)) {
            List<Map<String, Object>> rows = rows(store, latestTimes);
            if (json) {
                out.print(StoreAccess.jsonLines(rows));
            } else if (sql != null || view != null || rows.isEmpty()) {
                out.print(StoreAccess.table(rows));
            } else {
                out.print(latestTimes ? latestTimes(rows) : windows(rows));
            }
        }
        out.flush();
        return Millrace.OK;
    }

    private List<Map<String, Object>> rows(StoreClient store, boolean latestTimes) {
        if (sql != null) {
            return asked(store, sql);
        }
        int most = limit == null ? MOST_ROWS : limit;
        if (view != null) {
            return store.query(of(StoreView.named(view), store::literal, device, most));
        }
        StoreTable table = latestTimes ? StoreTable.LATEST_TIMES : StoreTable.WINDOWS;
        return store.query(newest(table, store::literal, device, most));
    }

    private static String of(StoreView view, UnaryOperator<String> literal, @Nullable String device, int limit) {
        return "SELECT * FROM " + view.sqlName()
                + (device == null ? "" : " WHERE device_id = " + literal.apply(device))
                + " ORDER BY " + view.order() + " LIMIT " + limit;
    }

    private static List<Map<String, Object>> asked(StoreClient store, String sql) {
        try {
            return store.query(sql);
        } catch (IllegalArgumentException e) {
            throw new UserException("the store refuses the query: " + e.getMessage(), e);
        }
    }

    static String newest(StoreTable table, UnaryOperator<String> literal, @Nullable String device, int limit) {
        String order =
                table == StoreTable.LATEST_TIMES ? "latest DESC, device_id, event_type" : "window_end DESC, device_id";
        return "SELECT * FROM " + table.sqlName()
                + (device == null ? "" : " WHERE device_id = " + literal.apply(device))
                + " ORDER BY " + order + " LIMIT " + limit;
    }

    private static String latestTimes(List<Map<String, Object>> rows) {
        Table table = new Table("device", "event type", "latest", "readings", "as of");
        for (Map<String, Object> row : rows) {
            table.row(
                    row.get("device_id"),
                    row.get("event_type"),
                    Instant.ofEpochMilli(StoreAccess.number(row, "latest")),
                    row.get("readings"),
                    Instant.ofEpochMilli(StoreAccess.number(row, "as_of")));
        }
        return table.toString();
    }

    static String windows(List<Map<String, Object>> rows) {
        Table table = new Table(
                "device",
                "window start",
                "window end",
                "readings",
                "temp min",
                "mean",
                "max",
                "humidity",
                "battery min",
                "errors");
        for (Map<String, Object> row : rows) {
            long readings = Math.max(1, StoreAccess.number(row, "readings"));
            table.row(
                    row.get("device_id"),
                    Instant.ofEpochMilli(StoreAccess.number(row, "window_start")),
                    Instant.ofEpochMilli(StoreAccess.number(row, "window_end")),
                    row.get("readings"),
                    two(StoreAccess.decimal(row, "temperature_min")),
                    two(StoreAccess.decimal(row, "temperature_sum") / readings),
                    two(StoreAccess.decimal(row, "temperature_max")),
                    two(StoreAccess.decimal(row, "humidity_sum") / readings),
                    two(StoreAccess.decimal(row, "battery_min")),
                    row.get("error_count"));
        }
        return table.toString();
    }

    private static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
