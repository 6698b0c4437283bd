package dev.millrace.perf.report;

import dev.millrace.perf.report.Chart.Distance;
import dev.millrace.perf.report.Chart.Interval;
import dev.millrace.perf.report.Chart.Line;
import dev.millrace.perf.report.Chart.Part;
import dev.millrace.perf.report.Grid.Column;
import dev.millrace.perf.report.Grid.Row;
import dev.millrace.perf.result.ClockPair;
import dev.millrace.perf.result.Comparison;
import dev.millrace.perf.result.Comparison.Verdict;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The charts of a report, each with the table that says the same. Only VALID runs come here. */
final class Charts {
    /** Shares of readings that people ask for, as a table names them. */
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 0.9999, 1};

    private static final List<String> QUANTILE_NAMES = List.of("50 %", "90 %", "99 %", "99.9 %", "99.99 %", "greatest");
    /** A logarithmic axis has no zero; a histogram's unit is the microsecond. */
    private static final double MILLIS_LEAST = 0.001;

    /** A smaller share of a bar is not seen. */
    private static final double LEAST_SHOWN = 0.001;

    private static final Map<String, Figure> CPU = new LinkedHashMap<>();
    private static final Map<String, Figure> MEMORY = new LinkedHashMap<>();

    static {
        CPU.put("broker", Figure.CPU_BROKER);
        CPU.put("job", Figure.CPU_JOB);
        CPU.put("store", Figure.CPU_STORE);
        CPU.put("generator", Figure.CPU_GENERATOR);
        MEMORY.put("broker", Figure.MEMORY_BROKER);
        MEMORY.put("all processes", Figure.MEMORY_TOTAL);
    }

    private final Findings findings;

    Charts(Findings findings) {
        this.findings = findings;
    }

    /** One for each two that were compared, in the order of {@link Tables#sides}; empty where no ratio is known. */
    List<Optional<Chart>> ratios() {
        List<Optional<Chart>> charts = new ArrayList<>();
        new Tables(findings).sides().forEach((sides, all) -> charts.add(ratios(charts.size(), sides, all)));
        return charts;
    }

    private static Optional<Chart> ratios(int index, String sides, List<Comparison> all) {
        List<Comparison> drawn = all.stream()
                .filter(one -> Double.isFinite(one.ratio()) && one.ratio() > 0)
                .toList();
        if (drawn.isEmpty()) {
            return Optional.empty();
        }
        Grid table = new Grid(
                "Ratios of " + sides,
                List.of(
                        Column.text("Figure"),
                        Column.number("Ratio", ""),
                        Column.number("Interval", "95 %"),
                        Column.text("Better")),
                drawn.stream()
                        .map(one -> Row.of(List.of(
                                one.figure().title(),
                                Numbers.ratio(one.ratio()),
                                Tables.interval(one),
                                better(one).isEmpty() ? Numbers.NONE : better(one))))
                        .toList());
        String label = "Interval plot: ratio of " + sides + " for " + Findings.counted(drawn.size(), "figure")
                + " with 95 % intervals, and a line where both are alike. The numbers are in the table that follows.";
        return Optional.of(new Chart(
                "ratios-" + index,
                "Ratios of " + sides,
                "Each mark is a ratio, its bar the 95 % interval; at 1 both are alike. Which side is good depends on the figure.",
                label,
                table,
                new Chart.Ratios(
                        all.get(0).a(),
                        all.get(0).b(),
                        drawn.stream()
                                .map(one -> new Interval(
                                        one.figure().title(),
                                        one.decides(),
                                        one.ratio(),
                                        Double.isFinite(one.low()) && Double.isFinite(one.high()) && one.low() > 0
                                                ? List.of(one.low(), one.high())
                                                : List.of(),
                                        better(one)))
                                .toList())));
    }

    private static String better(Comparison one) {
        return one.verdict() == Verdict.A_BETTER ? one.a() : one.verdict() == Verdict.B_BETTER ? one.b() : "";
    }

    List<Chart> times() {
        return new TimeCharts(findings.valid()).charts();
    }

    Optional<Chart> latency() {
        List<Run> runs =
                findings.valid().stream().filter(run -> !run.send().isEmpty()).toList();
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        List<Column> columns = new ArrayList<>(List.of(Column.text("Share of readings")));
        runs.forEach(run -> columns.add(Column.number(run.id(), "ms")));
        List<Row> rows = IntStream.range(0, QUANTILES.length)
                .mapToObj(i -> {
                    List<String> cells = new ArrayList<>(List.of(QUANTILE_NAMES.get(i)));
                    runs.forEach(run -> cells.add(Numbers.text(
                            at(run, QUANTILES[i]).isPresent()
                                    ? at(run, QUANTILES[i]).getAsDouble()
                                    : null)));
                    return Row.of(cells);
                })
                .toList();
        return Optional.of(new Chart(
                "latency",
                "From the intended send time to accepted, by percentile",
                "One curve for each VALID run, both axes logarithmic. The greatest of each run is in the table.",
                "Line chart: milliseconds by percentile of readings, one curve for each of "
                        + Findings.counted(runs.size(), "VALID run")
                        + ". The numbers are in the table that follows.",
                new Grid("So many of the readings took at most", columns, rows),
                new Chart.Percentiles(runs.stream().map(Charts::curve).toList())));
    }

    /** The first point of the curve that has so many readings below it. */
    private static OptionalDouble at(Run run, double quantile) {
        return run.send().stream()
                .filter(point -> point.quantile() >= quantile)
                .mapToDouble(Run.Quantile::millis)
                .findFirst();
    }

    private static Line curve(Run run) {
        return new Line(
                run.id(),
                run.subject(),
                run.send().stream()
                        .filter(point -> point.quantile() < 1 && Double.isFinite(point.millis()))
                        .map(point -> new @Nullable Double[] {point.quantile(), Math.max(point.millis(), MILLIS_LEAST)})
                        .toList());
    }

    /** Of runs on several machines; empty where all had one clock. */
    Optional<Chart> clocks() {
        List<Distance> distances = new ArrayList<>();
        for (Run run : findings.valid()) {
            for (ClockPair pair : ClockPair.of(run)) {
                distances.add(new Distance(
                        run.id() + ", " + pair.nodes(),
                        run.subject(),
                        pair.offsetMillis(),
                        pair.offsetMillis() - pair.uncertaintyMillis(),
                        pair.offsetMillis() + pair.uncertaintyMillis()));
            }
        }
        if (distances.isEmpty()) {
            return Optional.empty();
        }
        Grid table = new Grid(
                "Clocks of the nodes",
                List.of(
                        Column.text("Run and nodes"),
                        Column.number("Offset", "ms"),
                        Column.number("At least", "ms"),
                        Column.number("At most", "ms")),
                distances.stream()
                        .map(one -> Row.of(List.of(
                                one.name(),
                                Numbers.text(one.offset()),
                                Numbers.text(one.low()),
                                Numbers.text(one.high()))))
                        .toList());
        return Optional.of(new Chart(
                "clocks",
                "Clocks of the nodes",
                "How far the second node's clock was ahead of the first one's in the measured phase, with what that is unsure by."
                        + " Latencies begin and end by one clock, that of the generator's pod: these distances are in none of them.",
                "Interval plot: milliseconds between the clocks of "
                        + Findings.counted(distances.size(), "pair of nodes in a run")
                        + ", each with its error bar. The numbers are in the table that follows.",
                table,
                new Chart.Clocks(distances)));
    }

    List<Chart> resources() {
        List<Chart> charts = new ArrayList<>();
        bars(
                        "cpu",
                        "CPU by process",
                        "s per million readings",
                        "Means of the VALID runs, because means add up; the comparison's figures are medians.",
                        CPU,
                        Optional.of(Figure.CPU_TOTAL))
                .ifPresent(charts::add);
        bars(
                        "memory",
                        "Memory",
                        "MiB",
                        "Resident memory at its greatest, mean of the VALID runs.",
                        MEMORY,
                        Optional.empty())
                .ifPresent(charts::add);
        return charts;
    }

    private Optional<Chart> bars(
            String id, String title, String unit, String note, Map<String, Figure> figures, Optional<Figure> total) {
        List<String> subjects = findings.subjects().stream()
                .filter(subject -> figures.values().stream().anyMatch(figure -> mean(subject, figure) != null))
                .toList();
        if (subjects.isEmpty()) {
            return Optional.empty();
        }
        List<Part> parts = new ArrayList<>();
        figures.forEach((name, figure) -> parts.add(new Part(
                name, subjects.stream().map(subject -> mean(subject, figure)).toList())));
        parts.removeIf(part -> part.values().stream().allMatch(Objects::isNull));
        total.flatMap(whole -> others(parts, subjects, whole)).ifPresent(parts::add);
        List<@Nullable Double> sums = total.isPresent()
                ? IntStream.range(0, subjects.size())
                        .mapToObj(i -> mean(subjects.get(i), total.get()) == null ? null : sum(parts, i))
                        .toList()
                : List.of();
        List<Column> columns = new ArrayList<>(List.of(Column.text("Subject"), Column.number("VALID runs", "")));
        parts.forEach(part -> columns.add(Column.number(part.name(), unit)));
        if (total.isPresent()) {
            columns.add(Column.number("sum", unit));
        }
        List<Row> rows = IntStream.range(0, subjects.size())
                .mapToObj(i -> {
                    List<String> cells =
                            new ArrayList<>(List.of(subjects.get(i), Integer.toString(runs(subjects.get(i)))));
                    parts.forEach(part -> cells.add(Numbers.text(part.values().get(i))));
                    if (total.isPresent()) {
                        cells.add(Numbers.text(sums.get(i)));
                    }
                    return Row.of(cells);
                })
                .toList();
        return Optional.of(new Chart(
                id,
                title,
                note,
                "Bar chart: " + title + ", " + unit + ", of " + String.join(", ", subjects)
                        + ". The numbers are in the table that follows.",
                new Grid(title + ", mean of the VALID runs", columns, rows),
                new Chart.Bars(
                        unit,
                        sums,
                        subjects.stream()
                                .map(subject -> subject + ", " + Findings.counted(runs(subject), "run"))
                                .toList(),
                        parts)));
    }

    /** What the whole has beside the parts: the supervisor, for one. */
    private Optional<Part> others(List<Part> parts, List<String> subjects, Figure total) {
        List<@Nullable Double> rest = new ArrayList<>();
        boolean shows = false;
        for (int i = 0; i < subjects.size(); i++) {
            Double whole = mean(subjects.get(i), total);
            // Where some runs lack a part, the means of parts may add up to more.
            rest.add(whole == null ? null : Math.max(0, whole - sum(parts, i)));
            shows |= whole != null && rest.get(i) > whole * LEAST_SHOWN;
        }
        return shows ? Optional.of(new Part("others", rest)) : Optional.empty();
    }

    private int runs(String subject) {
        return findings.valid(subject).size();
    }

    private static double sum(List<Part> parts, int subject) {
        double sum = 0;
        for (Part part : parts) {
            Double value = part.values().get(subject);
            sum += value == null ? 0 : value;
        }
        return sum;
    }

    private @Nullable Double mean(String subject, Figure figure) {
        OptionalDouble mean = findings.valid(subject).stream()
                .map(run -> run.figures().get(figure))
                .filter(value -> value != null && Double.isFinite(value))
                .mapToDouble(Double::doubleValue)
                .average();
        return mean.isPresent() ? mean.getAsDouble() : null;
    }
}
