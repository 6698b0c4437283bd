package dev.millrace.deploy.command;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.connectors.api.store.StoreView;
import dev.millrace.core.settings.UserException;
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
        description = "Show windows from the store, the newest first.",
        footer = {
            "",
            "The table 'windows' has device_id, window_start, window_end (epoch milliseconds), readings, first_sequence,"
                    + " last_sequence, and of each measure (temperature, humidity, pressure, co2, noise, light, battery,"
                    + " signal_strength) _min, _max and _sum; the mean is _sum / readings.",
            "",
            "Views: latest_per_device (the newest window of each device), hourly_rollup (windows, readings, least, greatest"
                    + " and mean of each measure by device and hour), devices_in_error (whose newest window has readings"
                    + " of status ERROR), top_movers (devices by how far their mean temperature moved last)."
        })
public final class ResultsCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--device", paramLabel = "ID", description = "only windows of this device")
    @Nullable
    String device;

    @Option(names = "--last", paramLabel = "N", defaultValue = "20", description = "how many (default: 20)")
    int last;

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
        if (last < 1) {
            throw new UserException("--last is " + last + "; it must be at least 1");
        }
        if (sql != null && view != null) {
            throw new UserException("--sql and --view exclude each other; name the view in the query");
        }
        if (sql != null && device != null) {
            throw new UserException("--sql and --device exclude each other; put the device into the query");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (StoreClient store = StoreAccess.connect(selection.stack())) {
            List<Map<String, Object>> rows = rows(store);
            if (json) {
                out.print(StoreAccess.jsonLines(rows));
            } else {
                out.print(sql != null || view != null || rows.isEmpty() ? StoreAccess.table(rows) : windows(rows));
            }
        }
        out.flush();
        return Millrace.OK;
    }

    private List<Map<String, Object>> rows(StoreClient store) {
        if (sql != null) {
            return asked(store, sql);
        }
        return store.query(
                view == null
                        ? newest(store::literal, device, last)
                        : of(StoreView.named(view), store::literal, device, last));
    }

    private static String of(StoreView view, UnaryOperator<String> literal, @Nullable String device, int last) {
        return "SELECT * FROM " + view.sqlName()
                + (device == null ? "" : " WHERE device_id = " + literal.apply(device))
                + " LIMIT " + last;
    }

    private static List<Map<String, Object>> asked(StoreClient store, String sql) {
        try {
            return store.query(sql);
        } catch (IllegalArgumentException e) {
            throw new UserException("the store refuses the query: " + e.getMessage(), e);
        }
    }

    static String newest(UnaryOperator<String> literal, @Nullable String device, int last) {
        return "SELECT * FROM " + StoreTable.WINDOWS.sqlName()
                + (device == null ? "" : " WHERE device_id = " + literal.apply(device))
                + " ORDER BY window_end DESC, device_id LIMIT " + last;
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
