package dev.millrace.perf.report;

import dev.millrace.perf.report.Chart.Line;
import dev.millrace.perf.report.Chart.Phase;
import dev.millrace.perf.report.Grid.Column;
import dev.millrace.perf.report.Grid.Row;
import dev.millrace.perf.result.Run;
import dev.millrace.perf.result.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    /** Whose phases are shaded: others may be longer or shorter. Null where no run has a sample. */
    private final @Nullable Run shaded;

    /** Of these runs, which must be VALID. */
    TimeCharts(List<Run> runs) {
        this.runs = runs;
        List<Run> byLength = runs.stream()
                .filter(run -> !run.samples().isEmpty())
                .sorted(Comparator.comparingInt(TimeCharts::seconds))
                .toList();
        this.seconds = byLength.isEmpty() ? 1 : seconds(byLength.get(byLength.size() - 1));
        this.shaded = byLength.isEmpty() ? null : byLength.get(byLength.size() / 2);
    }

    private static int seconds(Run run) {
        return run.samples().get(run.samples().size() - 1).second() + 1;
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
                .map(run -> new Line(run.id(), run.subject(), points(binned(run, step, greatest, value), step)))
                .filter(line -> !line.points().isEmpty())
                .toList();
        if (lines.isEmpty() || shaded == null) {
            return Optional.empty();
        }
        int tableStep = step(ROWS);
        String what = greatest ? "greatest" : "mean";
        String note =
                "One line for each VALID run; seconds since the run's stack was up. A line has a gap where nothing was known."
                        + " The phases are those of " + shaded.id() + ", the run of median length."
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
                new Chart.Times(unit, seconds, phases(shaded), lines)));
    }

    private int step(int most) {
        return Arrays.stream(STEPS)
                .filter(step -> seconds <= (long) step * most)
                .findFirst()
                .orElse((seconds + most - 1) / most);
    }

    /** From the first to the last step in which something was known. */
    private static List<@Nullable Double[]> points(TreeMap<Integer, Double> binned, int step) {
        List<@Nullable Double[]> points = new ArrayList<>();
        if (binned.isEmpty()) {
            return points;
        }
        for (int second = binned.firstKey(); second <= binned.lastKey(); second += step) {
            points.add(new @Nullable Double[] {(double) second, binned.get(second)});
        }
        return points;
    }

    /** By the first second of each step; steps in which nothing was known are not there. */
    private static TreeMap<Integer, Double> binned(
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
        TreeMap<Integer, Double> binned = new TreeMap<>();
        sums.forEach((second, sum) -> binned.put(second, greatest ? sum[2] : sum[0] / sum[1]));
        return binned;
    }

    private Grid table(String caption, int step, boolean greatest, Function<Sample, @Nullable Double> value) {
        List<TreeMap<Integer, Double>> all =
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

    /** As they follow each other; one that comes twice is there twice. */
    private static List<Phase> phases(Run run) {
        List<Phase> phases = new ArrayList<>();
        String name = "";
        int from = 0;
        int to = 0;
        for (Sample sample : run.samples()) {
            if (!sample.phase().equals(name)) {
                if (to > from) {
                    phases.add(new Phase(name, from, sample.second()));
                }
                name = sample.phase();
                from = sample.second();
            }
            to = sample.second() + 1;
        }
        if (to > from) {
            phases.add(new Phase(name, from, to));
        }
        return phases;
    }
}
