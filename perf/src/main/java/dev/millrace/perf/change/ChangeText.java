package dev.millrace.perf.change;

import dev.millrace.deploy.look.Table;
import dev.millrace.perf.statistics.Change;
import dev.millrace.perf.statistics.Digits;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A change for a terminal: the verdict, what differs, the figures. */
public final class ChangeText {
    private ChangeText() {}

    public static String of(ResultChange change) {
        StringBuilder text = new StringBuilder();
        change.verdict().forEach(sentence -> text.append(sentence).append('\n'));
        text.append('\n').append(line("A", change.a())).append(line("B", change.b()));
        change.notes().forEach(note -> text.append(note).append('\n'));
        differences("Must be alike and is not:", change.mustBeAlike(), text);
        differences("What changed:", change.changed(), text);
        text.append("\nMedians of VALID runs; B / A is the ratio of geometric means, with its 95 % interval:\n")
                .append(figures(change.changes()));
        return text.toString();
    }

    private static String line(String name, ResultChange.Side side) {
        return name + ": " + side.id() + ", started " + side.started() + ", " + side.validRuns() + " VALID runs\n";
    }

    private static void differences(String title, List<Unlike> unlike, StringBuilder text) {
        if (!unlike.isEmpty()) {
            Table table = new Table("what", "A", "B");
            unlike.forEach(one -> table.row(one.name(), one.a(), one.b()));
            text.append('\n').append(title).append('\n').append(table);
        }
    }

    private static Table figures(List<Change> changes) {
        Table table = new Table("subject", "figure", "unit", "A", "B", "B / A", "interval", "runs", "B is", "watched");
        for (Change change : changes) {
            table.row(
                    change.a().equals(change.b()) ? change.a() : change.a() + ":" + change.b(),
                    change.figure().key(),
                    change.figure().unit(),
                    median(change.medianA()),
                    median(change.medianB()),
                    ratio(change.ratio()),
                    Double.isNaN(change.low()) ? null : ratio(change.low()) + " to " + ratio(change.high()),
                    change.runsA() + " and " + change.runsB(),
                    word(change.verdict()),
                    change.watched() ? "yes" : null);
        }
        return table;
    }

    private static @Nullable String median(double value) {
        return Double.isFinite(value) ? Digits.of(value) : null;
    }

    private static @Nullable String ratio(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : null;
    }

    private static @Nullable String word(Change.Verdict verdict) {
        return switch (verdict) {
            case WORSE -> "worse";
            case BETTER -> "better";
            case NO_DIFFERENCE -> "no different";
            case NONE -> null;
        };
    }
}
