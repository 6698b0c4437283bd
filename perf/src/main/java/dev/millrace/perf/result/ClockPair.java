package dev.millrace.perf.result;

import java.util.List;
import java.util.Map;

/**
 * How far the clocks of two nodes were apart in a run's measured phase, as its evidence has it.
 *
 * @param nodes the two, as "FROM to TO"
 * @param offsetMillis positive when the second is ahead
 * @param uncertaintyMillis the true offset was within so much of it, on either side
 */
public record ClockPair(String nodes, double offsetMillis, double uncertaintyMillis) {
    private static final String OFFSET = "clockOffsetMillis ";
    private static final String UNCERTAINTY = "clockUncertaintyMillis ";

    /** As evidence of a run. */
    public Map<String, Double> evidence() {
        return Map.of(OFFSET + nodes, offsetMillis, UNCERTAINTY + nodes, uncertaintyMillis);
    }

    /** Those of a run; none where all its processes had one clock. */
    public static List<ClockPair> of(Run run) {
        return run.evidence().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(OFFSET))
                .map(entry -> {
                    String nodes = entry.getKey().substring(OFFSET.length());
                    return new ClockPair(
                            nodes, entry.getValue(), run.evidence().getOrDefault(UNCERTAINTY + nodes, Double.NaN));
                })
                .toList();
    }
}
