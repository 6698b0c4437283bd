package dev.millrace.perf.run.exercise;

import dev.millrace.perf.probe.MetricsPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the job's vertices spent their time so far, by Flink's own counters of each task's thread, summed over subtasks.
 *
 * @param millis by vertex; each has busy, back-pressured and idle
 */
record VertexTimes(Map<String, double[]> millis) {
    private static final List<String> COUNTERS =
            List.of("_accumulateBusyTimeMs", "_accumulateBackPressuredTimeMs", "_accumulateIdleTimeMs");
    /** How Flink's page writes an arrow between two operators of a vertex. */
    private static final String ARROW = "____";

    static final String SOURCE = "Source: ";

    /** Suffixes of the metrics that {@link #of} wants. */
    static List<String> counters() {
        return COUNTERS;
    }

    static VertexTimes of(List<MetricsPage.Value> values) {
        Map<String, double[]> millis = new TreeMap<>();
        for (MetricsPage.Value value : values) {
            for (int i = 0; i < COUNTERS.size(); i++) {
                if (value.name().endsWith(COUNTERS.get(i)) && Double.isFinite(value.value())) {
                    String vertex =
                            value.label("task_name").replace(ARROW, " -> ").replace('_', ' ');
                    millis.computeIfAbsent(vertex, name -> new double[COUNTERS.size()])[i] += value.value();
                }
            }
        }
        return new VertexTimes(millis);
    }

    /** What a vertex's threads did, as shares of their time. */
    record Share(String vertex, double busy, double backPressured, double idle) {
        boolean isSource() {
            return vertex.startsWith(SOURCE);
        }
    }

    /** Between {@code before} and this, sources first; a vertex that counted nothing is not there. */
    List<Share> since(VertexTimes before) {
        List<Share> shares = new ArrayList<>();
        millis.forEach((vertex, now) -> {
            double[] then = before.millis.getOrDefault(vertex, new double[COUNTERS.size()]);
            double busy = Math.max(0, now[0] - then[0]);
            double backPressured = Math.max(0, now[1] - then[1]);
            double idle = Math.max(0, now[2] - then[2]);
            double all = busy + backPressured + idle;
            if (all > 0) {
                shares.add(new Share(vertex, busy / all, backPressured / all, idle / all));
            }
        });
        shares.sort(Comparator.comparing(share -> !share.isSource()));
        return shares;
    }
}
