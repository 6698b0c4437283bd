package dev.millrace.core.window;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.Status;
import java.util.Arrays;

/**
 * What is known of one device over one span of time: the sum, minimum and maximum of each measure, counters, and the
 * first and last sequence. Adding and merging commute, so neither order nor partitioning changes a bit of it (measures
 * are multiples of 1/1024 in bounded ranges: their sums in double are exact).
 *
 * <p>An empty accumulator has {@code readings == 0}, minima of {@code +Infinity} and maxima of {@code -Infinity}. Mutable, not
 * thread-safe. Two are equal when every number is bit for bit the same.
 */
public final class Accumulator {
    public long readings;
    public long firstSequence;
    public long lastSequence;
    /** Indexed by {@link Measure#ordinal()}, as are {@link #max} and {@link #sum}. */
    public final double[] min = new double[Measure.COUNT];

    public final double[] max = new double[Measure.COUNT];
    public final double[] sum = new double[Measure.COUNT];
    public long errorCount;
    public long packetsSent;
    public long packetsReceived;
    public long bytesSent;
    public long bytesReceived;
    /** Readings per {@link Status#ordinal()}. */
    public final long[] statusReadings = new long[Status.COUNT];
    /** Epoch microseconds. */
    public long latestIntendedSendTime;

    public Accumulator() {
        clear();
    }

    /** Makes it empty again. */
    public void clear() {
        readings = 0;
        firstSequence = Long.MAX_VALUE;
        lastSequence = Long.MIN_VALUE;
        Arrays.fill(min, Double.POSITIVE_INFINITY);
        Arrays.fill(max, Double.NEGATIVE_INFINITY);
        Arrays.fill(sum, 0);
        errorCount = 0;
        packetsSent = 0;
        packetsReceived = 0;
        bytesSent = 0;
        bytesReceived = 0;
        Arrays.fill(statusReadings, 0);
        latestIntendedSendTime = Long.MIN_VALUE;
    }

    /** Adds one reading. */
    public void add(Reading reading) {
        readings++;
        firstSequence = Math.min(firstSequence, reading.sequence);
        lastSequence = Math.max(lastSequence, reading.sequence);
        for (int i = 0; i < Measure.COUNT; i++) {
            double value = reading.measures[i];
            min[i] = Math.min(min[i], value);
            max[i] = Math.max(max[i], value);
            sum[i] += value;
        }
        errorCount += reading.errorCount;
        packetsSent += reading.packetsSent;
        packetsReceived += reading.packetsReceived;
        bytesSent += reading.bytesSent;
        bytesReceived += reading.bytesReceived;
        statusReadings[reading.status]++;
        latestIntendedSendTime = Math.max(latestIntendedSendTime, reading.intendedSendTime);
    }

    /** Adds all that the other one holds; the other is not changed. */
    public void merge(Accumulator other) {
        readings += other.readings;
        firstSequence = Math.min(firstSequence, other.firstSequence);
        lastSequence = Math.max(lastSequence, other.lastSequence);
        for (int i = 0; i < Measure.COUNT; i++) {
            min[i] = Math.min(min[i], other.min[i]);
            max[i] = Math.max(max[i], other.max[i]);
            sum[i] += other.sum[i];
        }
        errorCount += other.errorCount;
        packetsSent += other.packetsSent;
        packetsReceived += other.packetsReceived;
        bytesSent += other.bytesSent;
        bytesReceived += other.bytesReceived;
        for (int i = 0; i < Status.COUNT; i++) {
            statusReadings[i] += other.statusReadings[i];
        }
        latestIntendedSendTime = Math.max(latestIntendedSendTime, other.latestIntendedSendTime);
    }

    /** An independent copy. */
    public Accumulator copy() {
        Accumulator copy = new Accumulator();
        copy.merge(this);
        return copy;
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Accumulator other
                && readings == other.readings
                && firstSequence == other.firstSequence
                && lastSequence == other.lastSequence
                && Arrays.equals(min, other.min)
                && Arrays.equals(max, other.max)
                && Arrays.equals(sum, other.sum)
                && errorCount == other.errorCount
                && packetsSent == other.packetsSent
                && packetsReceived == other.packetsReceived
                && bytesSent == other.bytesSent
                && bytesReceived == other.bytesReceived
                && Arrays.equals(statusReadings, other.statusReadings)
                && latestIntendedSendTime == other.latestIntendedSendTime;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(readings * 31 + firstSequence) * 31 + Arrays.hashCode(sum);
    }

    @Override
    public String toString() {
        return readings + " readings, sequences " + firstSequence + ".." + lastSequence + ", sums "
                + Arrays.toString(sum);
    }
}
