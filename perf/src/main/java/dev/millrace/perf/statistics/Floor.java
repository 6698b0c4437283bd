package dev.millrace.perf.statistics;

import dev.millrace.perf.result.BenchmarkResult.Subject;
import dev.millrace.perf.result.Ceiling;
import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.Median;

/**
 * What the rig itself takes, by the VALID runs of the floor: a subject that is near to it says little about its broker.
 *
 * @param medians of the figures that say something about the rig
 * @param runs of which they are, VALID ones
 * @param capped whether the search of one kept the greatest rate that it tried: the rig may take more than that
 */
record Floor(Map<Figure, Double> medians, int runs, boolean capped) {
    /** A subject within this factor of the floor is harness-limited. */
    static final double NEAR = 1.3;

    /** Those that the rig has its part in. A rate is the schedule's, with every broker, unless it was searched for. */
    private static final Set<Figure> OF_THE_RIG = EnumSet.of(
            Figure.SEND_P50,
            Figure.SEND_P99,
            Figure.SEND_P999,
            Figure.SEND_MAX,
            Figure.ROWS_P50,
            Figure.ROWS_P99,
            Figure.ROWS_MAX,
            Figure.CPU_BROKER,
            Figure.CPU_JOB,
            Figure.CPU_STORE,
            Figure.CPU_GENERATOR,
            Figure.CPU_TOTAL);

    /** @param decides belongs to them, whatever it is */
    static Floor of(List<Run> runs, List<Subject> subjects, Figure decides) {
        Set<String> floors =
                subjects.stream().filter(Subject::floor).map(Subject::name).collect(Collectors.toSet());
        List<Run> valid = runs.stream()
                .filter(run -> run.isValid() && floors.contains(run.subject()))
                .toList();
        Set<Figure> figures = EnumSet.copyOf(OF_THE_RIG);
        figures.add(decides);
        Map<Figure, Double> medians = new EnumMap<>(Figure.class);
        for (Figure figure : figures) {
            double[] values = valid.stream()
                    .mapToDouble(run -> run.figures().getOrDefault(figure, Double.NaN))
                    .filter(Double::isFinite)
                    .toArray();
            if (values.length > 0) {
                medians.put(figure, Median.withDefaults().evaluate(values));
            }
        }
        return new Floor(medians, valid.size(), valid.stream().anyMatch(Ceiling::of));
    }

    /** NaN where it is not known, or says nothing about the rig. */
    double of(Figure figure) {
        return medians.getOrDefault(figure, Double.NaN);
    }

    /** Whether a value is at the floor, better, or within {@link #NEAR} of it; false where the floor or the value is not known. */
    boolean limits(Figure figure, double value) {
        if (capped && Capped.bounds(figure)) {
            return false;
        }
        double floor = of(figure);
        return figure.better() == Figure.Better.LOWER ? value <= NEAR * floor : NEAR * value >= floor;
    }

    /** What a verdict must add; empty without anybody who is limited. */
    String sentence(Figure figure, List<String> limited) {
        if (limited.isEmpty()) {
            return "";
        }
        return "; harness-limited: " + String.join(" and ", limited) + (limited.size() == 1 ? " is" : " are")
                + " within "
                + NEAR + "x of the floor (" + Sentence.measure(figure, of(figure)) + " in " + runs
                + (runs == 1 ? " run" : " runs")
                + "), so there the rig, not the broker, is what was measured";
    }
}
