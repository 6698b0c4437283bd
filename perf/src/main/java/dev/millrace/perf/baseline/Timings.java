package dev.millrace.perf.baseline;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Quantile;

/** How long each of many like steps took. */
final class Timings {
    private static final double NANOS_OF_A_MICRO = 1000;

    private final double[] micros;
    private final int most;
    private final long endNanos;
    private int count;

    /** @param seconds after which no further step is taken, however few there were */
    Timings(int most, int seconds) {
        this.micros = new double[most];
        this.most = most;
        this.endNanos = System.nanoTime() + seconds * 1_000_000_000L;
    }

    boolean wantsMore() {
        return count < most && (count == 0 || System.nanoTime() < endNanos);
    }

    void add(long nanos) {
        micros[count++] = nanos / NANOS_OF_A_MICRO;
    }

    /** @param share from 0 to 1 */
    double micros(double share) {
        return Quantile.withDefaults().evaluate(Arrays.copyOf(micros, count), share);
    }
}
