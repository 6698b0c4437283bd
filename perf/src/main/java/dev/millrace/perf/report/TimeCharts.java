package dev.millrace.perf.report;

import dev.millrace.perf.report.Chart.Line;
import dev.millrace.perf.report.Chart.Phase;
import dev.millrace.perf.report.Grid.Column;
import dev.millrace.perf.report.Grid.Row;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Charts over the seconds of runs. However long a run is, the page stays small: neighbours are put together. */
final class TimeCharts {
    private static final int POINTS = 600;
    private static final int ROWS = 60;
    /** Steps of a table that people can read. */
    private static final int[] STEPS = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600};

    private final List<Run> runs;
    private final int seconds;

    /** Of these runs, which must be VALID. */
    TimeCharts(List<Run> runs) {
        this.runs = runs;
        this.seconds = runs.stream()
                        .flatMap(run -> run.samples().stream())
                        .mapToInt(Sample::second)
                        .max()
                        .orElse(0)
                + 1;
    }

    List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        chart("accepted", "Accepted by the broker", "readings/s", false, Sample::acceptedPerSecond)
                .ifPresent(charts::add);
        chart("processed", "Processed by the job", "readings/s", false, Sample::processedPerSecond)
                .ifPresent(charts::add);
        chart("lag", "Lag: in the broker, not yet read by the job", "readings", true, TimeCharts::lag)
                .ifPresent(charts::add);
        return charts;
    }

    private static @Nullable Double lag(Sample sample) {
        Long lag = sample.lag();
        return lag == null ? null : lag.doubleValue();
    }

    private Optional<Chart> chart(
            String id, String title, String unit, boolean greatest, Function<Sample, @Nullable Double> value) {
        int step = step(POINTS);
        List<Line> lines = runs.stream()
                .map(run -> new Line(run.id(), run.subject(), points(binned(run, step, greatest, value))))
                .filter(line -> !line.points().isEmpty())
                .toList();
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        int tableStep = step(ROWS);
        String what = greatest ? "greatest" : "mean";
        String note = "One line for each VALID run; seconds since the run's stack was up."
                + (step > 1 ? " Each point is the " + what + " of " + step + " seconds." : "");
        String label = "Line chart: " + title + ", " + unit + " over time, one line for each of "
                + Findings.counted(lines.size(), "VALID run") + ". The numbers are in the table that follows.";
        return Optional.of(new Chart(
                id,
                title,
                note,
                label,
                table(
                        title + ", " + unit + " by second, " + what + " of " + Findings.counted(tableStep, "second"),
                        tableStep,
                        greatest,
                        value),
                new Chart.Times(unit, phases(), lines)));
    }

    private int step(int most) {
        return Arrays.stream(STEPS)
                .filter(step -> seconds <= (long) step * most)
                .findFirst()
                .orElse((seconds + most - 1) / most);
    }

    private static List<double[]> points(Map<Integer, Double> binned) {
        return binned.entrySet().stream()
                .map(entry -> new double[] {entry.getKey(), entry.getValue()})
                .toList();
    }

    /** By the first second of each step; steps in which nothing was known are not there. */
    private static Map<Integer, Double> binned(
            Run run, int step, boolean greatest, Function<Sample, @Nullable Double> value) {
        Map<Integer, double[]> sums = new TreeMap<>();
        for (Sample sample : run.samples()) {
            Double known = value.apply(sample);
            if (known != null && Double.isFinite(known)) {
                double[] sum = sums.computeIfAbsent(
                        sample.second() / step * step, second -> new double[] {0, 0, Double.NEGATIVE_INFINITY});
                sum[0] += known;
                sum[1]++;
                sum[2] = Math.max(sum[2], known);
            }
        }
        Map<Integer, Double> binned = new TreeMap<>();
        sums.forEach((second, sum) -> binned.put(second, greatest ? sum[2] : sum[0] / sum[1]));
        return binned;
    }

    private Grid table(String caption, int step, boolean greatest, Function<Sample, @Nullable Double> value) {
        List<Map<Integer, Double>> all =
                runs.stream().map(run -> binned(run, step, greatest, value)).toList();
        List<Column> columns = new ArrayList<>(List.of(Column.text("Second")));
        runs.forEach(run -> columns.add(Column.number(run.id(), "")));
        List<Row> rows = IntStream.iterate(0, second -> second < seconds, second -> second + step)
                .filter(second -> all.stream().anyMatch(binned -> binned.containsKey(second)))
                .mapToObj(second -> {
                    List<String> cells = new ArrayList<>(List.of(Integer.toString(second)));
                    all.forEach(binned -> cells.add(Numbers.text(binned.get(second))));
                    return Row.of(cells);
                })
                .toList();
        return new Grid(caption, columns, rows);
    }

    /** In the order in which they come; a stack may need a moment longer than another's, so it is the median of the runs. */
    private List<Phase> phases() {
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> run.samples().forEach(sample -> names.add(sample.phase())));
        List<Phase> phases = new ArrayList<>();
        for (String name : names) {
            List<int[]> bounds = runs.stream()
                    .map(run -> run.samples().stream()
                            .filter(sample -> sample.phase().equals(name))
                            .mapToInt(Sample::second)
                            .toArray())
                    .filter(own -> own.length > 0)
                    .toList();
            int[] starts = bounds.stream()
                    .mapToInt(own -> Arrays.stream(own).min().orElseThrow())
                    .sorted()
                    .toArray();
            int[] ends = bounds.stream()
                    .mapToInt(own -> Arrays.stream(own).max().orElseThrow())
                    .sorted()
                    .toArray();
            phases.add(new Phase(name, starts[starts.length / 2], ends[ends.length / 2] + 1));
        }
        return phases;
    }
}
