package dev.millrace.deploy.look;

import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a generator's sends took since it started, as its metrics count them in buckets. Two of them say how long those in
 * between took.
 */
final class SendBuckets {
    private static final Pattern BUCKET = Pattern.compile(
            "^millrace_generator_send_latency_seconds_bucket\\{le=\"([^\"]+)\"} (\\S+)$", Pattern.MULTILINE);
    private static final double MILLIS_OF_A_SECOND = 1000;

    /** Upper bound in seconds, the last one infinite, to how many sends took at most that long. */
    private final NavigableMap<Double, Double> counts;

    private final long takenNanos = System.nanoTime();

    private SendBuckets(NavigableMap<Double, Double> counts) {
        this.counts = counts;
    }

    /**
     * Empty when the page has no buckets.
     *
     * @param metrics a generator's whole page, Prometheus text
     */
    static Optional<SendBuckets> of(String metrics) {
        NavigableMap<Double, Double> counts = new TreeMap<>();
        Matcher bucket = BUCKET.matcher(metrics);
        while (bucket.find()) {
            String bound = bucket.group(1);
            counts.put(
                    bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound),
                    Double.parseDouble(bucket.group(2)));
        }
        return counts.isEmpty() ? Optional.empty() : Optional.of(new SendBuckets(counts));
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - takenNanos);
    }

    /** Of the sends that came after {@code earlier}; empty when there was none, or the generator has started again. */
    Optional<SendQuantiles> since(SendBuckets earlier) {
        NavigableMap<Double, Double> sends = new TreeMap<>();
        counts.forEach((bound, count) -> sends.put(bound, count - earlier.counts.getOrDefault(bound, 0.0)));
        boolean startedAgain = sends.values().stream().anyMatch(count -> count < 0);
        return startedAgain || sends.lastEntry().getValue() == 0
                ? Optional.empty()
                : Optional.of(new SendQuantiles(rounded(millis(sends, 0.5)), rounded(millis(sends, 0.99))));
    }

    private static double rounded(double millis) {
        return Math.round(millis * 1000) / 1000.0;
    }

    /**
     * As Prometheus estimates it: within its bucket a quantile lies as far as its rank does. A bucket's bounds are a third apart at
     * most. What is above the greatest finite bound counts as that bound.
     */
    private static double millis(NavigableMap<Double, Double> sends, double share) {
        double rank = share * sends.lastEntry().getValue();
        Map.Entry<Double, Double> reached = sends.entrySet().stream()
                .filter(bucket -> bucket.getValue() >= rank)
                .findFirst()
                .orElseThrow();
        Map.Entry<Double, Double> before = sends.lowerEntry(reached.getKey());
        double lower = before == null ? 0 : before.getKey();
        double below = before == null ? 0 : before.getValue();
        double part = (rank - below) / (reached.getValue() - below);
        double upper = Double.isInfinite(reached.getKey()) ? lower : reached.getKey();
        return (lower + (upper - lower) * part) * MILLIS_OF_A_SECOND;
    }
}
