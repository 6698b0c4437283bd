package dev.millrace.perf.backlog;

import java.util.ArrayList;
import java.util.List;

/** A counter over time, as it was sampled; rates between two of its values. Not thread-safe. */
public final class Samples {
    private record Sample(long nanos, double count) {}

    private final List<Sample> samples = new ArrayList<>();

    /** Adds a sample; one that did not grow is left out, but for the last before the first growth. */
    public void add(long nanos, double count) {
        if (samples.isEmpty() || count > last().count) {
            samples.add(new Sample(nanos, count));
        }
    }

    private Sample last() {
        return samples.get(samples.size() - 1);
    }

    /** When the counter was first above zero; throws IllegalStateException when it never was. */
    public long firstNanos() {
        return samples.stream()
                .filter(sample -> sample.count > 0)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the job never counted a reading"))
                .nanos;
    }

    /**
     * Growth per second between the first sample at or above {@code from} and the last one at or below {@code to}.
     *
     * @return NaN when fewer than two samples lie between them: the run was too short to say
     */
    public double rateBetween(double from, double to) {
        List<Sample> between = samples.stream()
                .filter(sample -> sample.count >= from && sample.count <= to)
                .toList();
        if (between.size() < 2) {
            return Double.NaN;
        }
        Sample first = between.get(0);
        Sample last = between.get(between.size() - 1);
        return (last.count - first.count) / ((last.nanos - first.nanos) / 1e9);
    }
}
