package dev.millrace.perf.trend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.statistics.descriptive.Median;

/**
 * A quantity by blocks of seconds, each the median of what was seen in it. Neighbouring seconds are much alike (a heap between two
 * collections, a lag between two fetches), so they are no observations of their own; a block that is long against such swings is
 * one. A block in which nothing was seen is not there. Not thread-safe.
 */
public final class BlockMedians {
    /** Every pair of blocks is looked at; of more blocks than this that takes too long, so they are made longer. */
    public static final int MOST = 2000;

    private static final double SECONDS_OF_AN_HOUR = 3600;

    private final double blockSeconds;
    private final Map<Long, List<Double>> blocks = new TreeMap<>();

    /**
     * @param blockSeconds wanted, above 0
     * @param phaseSeconds from the first to the last observation at most
     */
    public BlockMedians(double blockSeconds, double phaseSeconds) {
        this.blockSeconds = Math.max(blockSeconds, phaseSeconds / MOST);
    }

    /** Takes an observation; one that is no finite number is left out. */
    public void add(double second, double value) {
        if (Double.isFinite(value)) {
            blocks.computeIfAbsent((long) Math.floor(second / blockSeconds), block -> new ArrayList<>())
                    .add(value);
        }
    }

    /** How many blocks there are. */
    public int size() {
        return blocks.size();
    }

    /** Times of the blocks in hours, rising. */
    double[] hours() {
        return blocks.keySet().stream()
                .mapToDouble(block -> block * blockSeconds / SECONDS_OF_AN_HOUR)
                .toArray();
    }

    double[] medians() {
        return blocks.values().stream()
                .mapToDouble(values -> Median.withDefaults()
                        .evaluate(
                                values.stream().mapToDouble(Double::doubleValue).toArray()))
                .toArray();
    }

    /** The trend over the blocks; throws IllegalArgumentException when there are fewer than {@link Trend#LEAST_BLOCKS}. */
    public Trend trend() {
        return Trend.of(hours(), medians());
    }
}
