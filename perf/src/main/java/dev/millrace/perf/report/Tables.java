package dev.millrace.perf.report;

import dev.millrace.perf.report.Grid.Column;
import dev.millrace.perf.report.Grid.Row;
import dev.millrace.perf.result.BaselineFigure;
import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables of a report that are no chart's. */
final class Tables {
    /** Of all figures, those that a list of runs has room for. */
    private static final List<Figure> KEY_FIGURES = List.of(
            Figure.ACCEPTED_RATE,
            Figure.PROCESSED_RATE,
            Figure.SEND_P50,
            Figure.SEND_P99,
            Figure.SEND_MAX,
            Figure.CPU_TOTAL,
            Figure.MEMORY_TOTAL,
            Figure.LAG_MAX,
            Figure.COST);

    private final Findings findings;

    Tables(Findings findings) {
        this.findings = findings;
    }

    /** Comparisons of the same two, by "B against A", in the result's order. */
    Map<String, List<Comparison>> sides() {
        return findings.result().comparisons().stream()
                .collect(Collectors.groupingBy(Tables::sides, LinkedHashMap::new, Collectors.toList()));
    }

    private static String sides(Comparison comparison) {
        return comparison.b() + " against " + comparison.a();
    }

    /** One for each two that were compared. */
    List<Grid> comparisons() {
        return sides().entrySet().stream()
                .map(entry -> comparisons(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Grid comparisons(String caption, List<Comparison> comparisons) {
        String a = comparisons.get(0).a();
        String b = comparisons.get(0).b();
        List<Column> columns = List.of(
                Column.text("Figure"),
                Column.text("Unit"),
                Column.text("Better"),
                Column.number(a, "median"),
                Column.number(b, "median"),
                Column.number("Ratio", b + " / " + a),
                Column.number("Interval", "95 %"),
                Column.number("Pairs", ""),
                Column.number("Effect size", ""),
                Column.number("Detectable", "from"),
                Column.number("Floor", "median"),
                Column.text("Harness-limited"),
                Column.text("What can be said"));
        return new Grid(
                caption,
                columns,
                comparisons.stream()
                        .map(one -> new Row(
                                one.decides() ? "decides" : "",
                                List.of(
                                        one.figure().title() + (one.decides() ? " (decides)" : ""),
                                        one.figure().unit(),
                                        better(one.figure()),
                                        Numbers.text(one.medianA()),
                                        Numbers.text(one.medianB()),
                                        Numbers.ratio(one.ratio()),
                                        interval(one),
                                        Integer.toString(one.pairs()),
                                        Numbers.text(one.effectSize()),
                                        Numbers.percentAbove(one.detectable()),
                                        Numbers.text(one.floor()),
                                        harness(one),
                                        one.sentence())))
                        .toList());
    }

    /** Who is so near to the floor that the rig was measured. */
    private static String harness(Comparison one) {
        if (Double.isFinite(one.floor())) {
            return one.harnessLimited().isEmpty() ? "no" : String.join(", ", one.harnessLimited());
        }
        return Numbers.NONE;
    }

    private static String better(Figure figure) {
        return figure.better() == Figure.Better.HIGHER ? "higher" : "lower";
    }

    static String interval(Comparison one) {
        return Double.isFinite(one.low()) && Double.isFinite(one.high())
                ? Numbers.ratio(one.low()) + " to " + Numbers.ratio(one.high())
                : Numbers.NONE;
    }

    /** Every run, VALID or not. */
    Grid runs() {
        List<Column> columns = new ArrayList<>(List.of(
                Column.text("Run"),
                Column.text("Subject"),
                Column.number("Block", ""),
                Column.text("Validity"),
                Column.text("Audit")));
        Set<Figure> figures = new LinkedHashSet<>(KEY_FIGURES);
        figures.removeIf(figure ->
                findings.result().runs().stream().noneMatch(run -> run.figures().containsKey(figure)));
        figures.forEach(figure -> columns.add(Column.number(figure.title(), figure.unit())));
        List<Row> rows = findings.result().runs().stream()
                .map(run -> {
                    List<String> cells = new ArrayList<>(
                            List.of(run.id(), run.subject(), Integer.toString(run.block()), validity(run), audit(run)));
                    figures.forEach(
                            figure -> cells.add(Numbers.text(run.figures().get(figure))));
                    return new Row(run.isValid() ? "" : "invalid", cells);
                })
                .toList();
        return new Grid("All runs", columns, rows);
    }

    private static String validity(Run run) {
        List<String> reasons = run.reasons();
        if (reasons.size() <= 1) {
            return run.isValid() ? "VALID" : "INVALID: " + reasons.get(0);
        }
        return IntStream.range(0, reasons.size())
                .mapToObj(i -> "(" + (i + 1) + ") " + reasons.get(i))
                .collect(Collectors.joining(" ", "INVALID: ", ""));
    }

    private static String audit(Run run) {
        return run.audit().isEmpty() ? "not reached" : (run.auditEqual() ? "equal: " : "NOT equal: ") + run.audit();
    }

    /** What an exercise of the scenario found in each run, a sentence in each row. */
    Grid remarks() {
        return new Grid(
                "What was found in each run",
                List.of(Column.text("Run"), Column.text("Subject"), Column.text("Finding")),
                findings.result().runs().stream()
                        .flatMap(run -> run.remarks().stream()
                                .map(remark -> new Row(
                                        run.isValid() ? "" : "invalid", List.of(run.id(), run.subject(), remark))))
                        .toList());
    }

    /** What the gates looked at, a row for each run. */
    Grid evidence() {
        Set<String> names = new TreeSet<>();
        findings.result().runs().forEach(run -> names.addAll(run.evidence().keySet()));
        List<Column> columns = new ArrayList<>(List.of(Column.text("Run")));
        names.forEach(name -> columns.add(Column.number(name, "")));
        List<Row> rows = findings.result().runs().stream()
                .map(run -> {
                    List<String> cells = new ArrayList<>(List.of(run.id()));
                    names.forEach(name -> cells.add(Numbers.text(run.evidence().get(name))));
                    return new Row(run.isValid() ? "" : "invalid", cells);
                })
                .toList();
        return new Grid("What the gates of each run looked at", columns, rows);
    }

    /** Settings that decide about durability, a column for each subject. */
    Grid effective() {
        Set<String> names = new TreeSet<>();
        findings.result().runs().forEach(run -> names.addAll(run.effective().keySet()));
        List<Column> columns = new ArrayList<>(List.of(Column.text("Setting")));
        findings.subjects().forEach(subject -> columns.add(Column.text(subject)));
        List<Row> rows = names.stream()
                .map(name -> {
                    List<String> cells = new ArrayList<>(List.of(name));
                    findings.subjects().forEach(subject -> cells.add(effective(subject, name)));
                    return Row.of(cells);
                })
                .toList();
        return new Grid("Read back from the live brokers", columns, rows);
    }

    /** The value in all runs of the subject; where they differ, each with how many have it. */
    private String effective(String subject, String name) {
        Map<String, Long> counts = findings.result().runs().stream()
                .filter(run -> run.subject().equals(subject) && run.effective().containsKey(name))
                .map(run -> run.effective().get(name))
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        if (counts.size() <= 1) {
            return counts.keySet().stream().findFirst().orElse(Numbers.NONE);
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + " in "
                        + Findings.counted(entry.getValue().intValue(), "run"))
                .collect(Collectors.joining("; "));
    }

    Grid subjects() {
        Collection<Subject> subjects = findings.result().subjects();
        return new Grid(
                "What was compared",
                List.of(Column.text("Subject"), Column.text("Broker"), Column.text("Version"), Column.text("Part")),
                subjects.stream()
                        .map(one -> Row.of(List.of(
                                one.name(),
                                one.broker(),
                                one.version(),
                                one.floor() ? "floor: what the rig itself takes" : "compared")))
                        .toList());
    }

    Grid settings() {
        return Grid.pairs(
                "Settings of the scenario",
                "Setting",
                "Value",
                new TreeMap<>(findings.result().settings()));
    }

    Grid environment() {
        return Grid.pairs(
                "Machine and build",
                "What",
                "Value",
                new TreeMap<>(findings.result().environment()));
    }

    /** What machine and generator did by themselves. */
    Grid baseline() {
        Map<BaselineFigure, Double> baseline = findings.result().baseline();
        return new Grid(
                "The rig by itself, before the first run",
                List.of(Column.text("What"), Column.text("Unit"), Column.number("Value", "")),
                Arrays.stream(BaselineFigure.values())
                        .filter(baseline::containsKey)
                        .map(figure ->
                                Row.of(List.of(figure.title(), figure.unit(), Numbers.text(baseline.get(figure)))))
                        .toList());
    }
}
