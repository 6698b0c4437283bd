package dev.millrace.perf.result;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One run of one subject, from a new stack to its audit.
 *
 * @param id unique in the result; begins the names of the run's own files
 * @param block runs of one block are neighbours in time, and make the pairs
 * @param started ISO 8601, UTC
 * @param reasons why the run is INVALID, a sentence each; empty for a VALID run
 * @param figures of the measured phase
 * @param send latency from the intended send time to the broker's acknowledgement, by rising quantile
 * @param audit what the audit said, in a line; empty when it was not reached
 * @param auditEqual whether store and ledger are equal
 * @param effective settings that decide about durability, as read back from the live broker
 * @param evidence what the gates looked at, by name
 * @param log the run's HdrHistogram interval log beside the result, microseconds; empty when there is none
 * @param remarks what the scenario's own exercise found, for people, a sentence each
 */
public record Run(
        String id,
        String subject,
        int block,
        String started,
        List<String> reasons,
        Map<Figure, Double> figures,
        List<Quantile> send,
        String audit,
        boolean auditEqual,
        Map<String, String> effective,
        Map<String, Double> evidence,
        List<Sample> samples,
        String log,
        List<String> remarks) {

    /** One point of a latency curve: the share {@code quantile} of readings took at most {@code millis}. */
    public record Quantile(double quantile, double millis) {}

    /** A run of which nothing was measured. */
    public static Run unmeasured(String id, String subject, int block, String started, String reason) {
        return new Run(
                id,
                subject,
                block,
                started,
                List.of(reason),
                Map.of(),
                List.of(),
                "",
                false,
                Map.of(),
                Map.of(),
                List.of(),
                "",
                List.of());
    }

    /** The same with one figure more, or another value of it. */
    public Run with(Figure figure, double value) {
        return with(Map.of(figure, value), Map.of(), List.of(), List.of());
    }

    /** The same with what an exercise found beside it. */
    public Run with(
            Map<Figure, Double> figuresToo,
            Map<String, Double> evidenceToo,
            List<String> reasonsToo,
            List<String> remarksToo) {
        return new Run(
                id,
                subject,
                block,
                started,
                joined(reasons, reasonsToo),
                joined(figures, figuresToo),
                send,
                audit,
                auditEqual,
                effective,
                joined(evidence, evidenceToo),
                samples,
                log,
                joined(remarks, remarksToo));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static <K extends Comparable<K>> Map<K, Double> joined(Map<K, Double> first, Map<K, Double> second) {
        Map<K, Double> all = new TreeMap<>(first);
        all.putAll(second);
        return Collections.unmodifiableMap(all);
    }

    /** Whether it may be drawn and compared. */
    public boolean isValid() {
        return reasons.isEmpty();
    }
}
