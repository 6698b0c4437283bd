package dev.millrace.perf.statistics;

import dev.millrace.perf.result.Figure;
import dev.millrace.perf.result.Run;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Median;

/**
 * One figure of two subjects, block by block: a pair is both subjects' VALID runs of one block, when both have the figure.
 *
 * @param all by rising block
 */
record Pairs(List<Pair> all) {

    /** One figure of two runs of the same block. */
    record Pair(double a, double b) {}

    Pairs {
        all = List.copyOf(all);
    }

    /** @throws IllegalArgumentException when a block has two VALID runs of one subject: which of them is the pair's? */
    static Pairs of(List<Run> runs, String a, String b, Figure figure) {
        Map<Integer, Double> ofA = byBlock(runs, a, figure);
        Map<Integer, Double> ofB = byBlock(runs, b, figure);
        ofA.keySet().retainAll(ofB.keySet());
        return new Pairs(ofA.entrySet().stream()
                .map(one -> new Pair(one.getValue(), ofB.getOrDefault(one.getKey(), Double.NaN)))
                .toList());
    }

    private static Map<Integer, Double> byBlock(List<Run> runs, String subject, Figure figure) {
        Map<Integer, Double> figures = new TreeMap<>();
        for (Run run : runs) {
            Double value = run.figures().get(figure);
            if (run.isValid()
                    && run.subject().equals(subject)
                    && value != null
                    && figures.put(run.block(), value) != null) {
                throw new IllegalArgumentException(
                        "block " + run.block() + " has two valid runs of '" + subject + "': it must have one");
            }
        }
        return figures;
    }

    int size() {
        return all.size();
    }

    double[] a() {
        return values(Pair::a);
    }

    double[] b() {
        return values(Pair::b);
    }

    /** NaN without any pair. */
    double medianA() {
        return Median.withDefaults().evaluate(a());
    }

    /** NaN without any pair. */
    double medianB() {
        return Median.withDefaults().evaluate(b());
    }

    private double[] values(ToDoubleFunction<Pair> side) {
        return all.stream().mapToDouble(side).toArray();
    }
}
