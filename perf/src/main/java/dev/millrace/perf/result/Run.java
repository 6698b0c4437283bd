package dev.millrace.perf.result;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
        String log) {

    /** One point of a latency curve: the share {@code quantile} of readings took at most {@code millis}. */
    public record Quantile(double quantile, double millis) {}

    /** The same with one figure more, or another value of it. */
    public Run with(Figure figure, double value) {
        Map<Figure, Double> more = new TreeMap<>(figures);
        more.put(figure, value);
        return new Run(
                id,
                subject,
                block,
                started,
                reasons,
                Collections.unmodifiableMap(more),
                send,
                audit,
                auditEqual,
                effective,
                evidence,
                samples,
                log);
    }

    /** Whether it may be drawn and compared. */
    public boolean isValid() {
        return reasons.isEmpty();
    }
}
