package dev.millrace.deploy.command;

import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.deploy.look.StackStore;
import dev.millrace.deploy.look.Table;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace dead-letters}: what is in no window, why, and where it was read. */
@CommandLine.Command(
        name = "dead-letters",
        description = "Show payloads that are in no window, with the reason and the place where they were read.")
public final class DeadLettersCommand implements Command {
    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Mixin
    Selection selection;

    @Option(names = "--reason", paramLabel = "REASON", description = "only those: late, undecodable or future")
    @Nullable
    String reason;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "at most this many (default: 20)")
    int limit;

    @Option(names = "--payload", description = "with the payload's bytes in hexadecimal")
    boolean payload;

    @Option(names = "--json", description = "one JSON object for each")
    boolean json;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new UserException("--limit is " + limit + "; it must be at least 1");
        }
        String wanted = reason == null ? null : reasonNamed(reason);
        PrintWriter out = spec.commandLine().getOut();
        try (StoreClient store = StackStore.connect(selection.stack())) {
            List<Map<String, Object>> rows = store.query(query(wanted, limit)).stream()
                    .map(row -> shown(row, payload))
                    .toList();
            if (json) {
                out.print(StoreAccess.jsonLines(rows));
            } else {
                out.print(counts(store.query("SELECT reason, count(*) AS letters FROM "
                        + StoreTable.DEAD_LETTERS.sqlName() + " GROUP BY reason ORDER BY reason")));
                if (!rows.isEmpty()) {
                    out.print("\n" + StoreAccess.table(rows));
                }
            }
        }
        out.flush();
        return Millrace.OK;
    }

    static String reasonNamed(String text) {
        for (DeadLetter.Reason each : DeadLetter.Reason.values()) {
            if (each.name().equalsIgnoreCase(text)) {
                return each.name();
            }
        }
        throw new UserException("--reason is '" + text + "'; it must be late, undecodable or future");
    }

    private static String query(@Nullable String reason, int limit) {
        return "SELECT reason, partition, position_major, position_minor, event_time, hex(payload) AS payload FROM "
                + StoreTable.DEAD_LETTERS.sqlName()
                + (reason == null ? "" : " WHERE lower(reason) = '" + reason.toLowerCase(Locale.ROOT) + "'")
                + " ORDER BY event_time DESC, partition, position_major DESC, position_minor DESC LIMIT " + limit;
    }

    static Map<String, Object> shown(Map<String, Object> row, boolean withPayload) {
        String hex = String.valueOf(row.get("payload"));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("reason", String.valueOf(row.get("reason")).toLowerCase(Locale.ROOT));
        shown.put("partition", row.get("partition"));
        shown.put("position", row.get("position_major") + ":" + row.get("position_minor"));
        shown.put(
                "eventTime",
                Instant.ofEpochMilli(StoreAccess.number(row, "event_time")).toString());
        shown.put("bytes", hex.length() / 2);
        if (withPayload) {
            shown.put("payload", hex);
        }
        return shown;
    }

    static String counts(List<Map<String, Object>> rows) {
        if (rows.isEmpty()) {
            return "no dead letters\n";
        }
        Table table = new Table("reason", "dead letters");
        rows.forEach(row -> table.row(String.valueOf(row.get("reason")).toLowerCase(Locale.ROOT), row.get("letters")));
        return table.toString();
    }
}
