package dev.millrace.core.audit;

import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Reading;
import dev.millrace.core.reading.Status;
import dev.millrace.core.window.Accumulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The plain books of many devices over one window: columns of numbers, one row per device. On purpose not the job's
 * Accumulator, which is what is being checked.
 */
final class Tally {
    static final String[] COUNTERS = {
        "readings",
        "firstSequence",
        "lastSequence",
        "errorCount",
        "packetsSent",
        "packetsReceived",
        "bytesSent",
        "bytesReceived",
        "statusReadings.ONLINE",
        "statusReadings.OFFLINE",
        "statusReadings.MAINTENANCE",
        "statusReadings.ERROR",
        "latestIntendedSendTime"
    };
    private static final int COUNTER_COUNT = COUNTERS.length;
    private static final int STATUS = 8;
    private static final int LATEST = STATUS + Status.COUNT;
    private static final int REALS = 3 * Measure.COUNT;

    private final long[] counters;
    private final double[] reals;

    Tally(int devices) {
        counters = new long[devices * COUNTER_COUNT];
        reals = new double[devices * REALS];
    }

    /** One reading; the sums are exact, so the order does not matter. */
    void add(int device, Reading reading) {
        int c = device * COUNTER_COUNT;
        int r = device * REALS;
        boolean first = counters[c]++ == 0;
        if (first || reading.sequence < counters[c + 1]) {
            counters[c + 1] = reading.sequence;
        }
        if (first || reading.sequence > counters[c + 2]) {
            counters[c + 2] = reading.sequence;
        }
        counters[c + 3] += reading.errorCount;
        counters[c + 4] += reading.packetsSent;
        counters[c + 5] += reading.packetsReceived;
        counters[c + 6] += reading.bytesSent;
        counters[c + 7] += reading.bytesReceived;
        counters[c + STATUS + reading.status]++;
        if (first || reading.intendedSendTime > counters[c + LATEST]) {
            counters[c + LATEST] = reading.intendedSendTime;
        }
        for (int measure = 0; measure < Measure.COUNT; measure++, r += 3) {
            double value = reading.measures[measure];
            if (first || value < reals[r]) {
                reals[r] = value;
            }
            if (first || value > reals[r + 1]) {
                reals[r + 1] = value;
            }
            reals[r + 2] += value;
        }
    }

    /** Adds what a row says. */
    void add(int device, Accumulator row) {
        int c = device * COUNTER_COUNT;
        boolean first = counters[c] == 0;
        counters[c] += row.readings;
        counters[c + 1] = first ? row.firstSequence : Math.min(counters[c + 1], row.firstSequence);
        counters[c + 2] = first ? row.lastSequence : Math.max(counters[c + 2], row.lastSequence);
        counters[c + 3] += row.errorCount;
        counters[c + 4] += row.packetsSent;
        counters[c + 5] += row.packetsReceived;
        counters[c + 6] += row.bytesSent;
        counters[c + 7] += row.bytesReceived;
        for (int status = 0; status < Status.COUNT; status++) {
            counters[c + STATUS + status] += row.statusReadings[status];
        }
        long latest = row.latestIntendedSendTime;
        counters[c + LATEST] = first ? latest : Math.max(counters[c + LATEST], latest);
        int r = device * REALS;
        for (int measure = 0; measure < Measure.COUNT; measure++, r += 3) {
            reals[r] = first || row.min[measure] < reals[r] ? row.min[measure] : reals[r];
            reals[r + 1] = first || row.max[measure] > reals[r + 1] ? row.max[measure] : reals[r + 1];
            // Not 0 + x: that would turn a row's -0.0 into 0.0 and hide a bit.
            reals[r + 2] = first ? row.sum[measure] : reals[r + 2] + row.sum[measure];
        }
    }

    void clear(int device) {
        Arrays.fill(counters, device * COUNTER_COUNT, (device + 1) * COUNTER_COUNT, 0);
        Arrays.fill(reals, device * REALS, (device + 1) * REALS, 0);
    }

    void clear() {
        Arrays.fill(counters, 0);
        Arrays.fill(reals, 0);
    }

    long readings(int device) {
        return counters[device * COUNTER_COUNT];
    }

    /** Adds what another tally says of one device. */
    void add(int device, Tally other, int otherDevice) {
        Accumulator row = new Accumulator();
        int c = otherDevice * COUNTER_COUNT;
        long[] from = other.counters;
        row.readings = from[c];
        row.firstSequence = from[c + 1];
        row.lastSequence = from[c + 2];
        row.errorCount = from[c + 3];
        row.packetsSent = from[c + 4];
        row.packetsReceived = from[c + 5];
        row.bytesSent = from[c + 6];
        row.bytesReceived = from[c + 7];
        System.arraycopy(from, c + STATUS, row.statusReadings, 0, Status.COUNT);
        row.latestIntendedSendTime = from[c + LATEST];
        for (int measure = 0; measure < Measure.COUNT; measure++) {
            int r = otherDevice * REALS + 3 * measure;
            row.min[measure] = other.reals[r];
            row.max[measure] = other.reals[r + 1];
            row.sum[measure] = other.reals[r + 2];
        }
        add(device, row);
    }

    /** In words what is not bit for bit the same: {@code field expected -> actual}; empty when all is. */
    List<String> differences(int device, Tally actual, int actualDevice) {
        int c = device * COUNTER_COUNT;
        int ac = actualDevice * COUNTER_COUNT;
        int r = device * REALS;
        int ar = actualDevice * REALS;
        boolean same = Arrays.equals(counters, c, c + COUNTER_COUNT, actual.counters, ac, ac + COUNTER_COUNT)
                && Arrays.equals(reals, r, r + REALS, actual.reals, ar, ar + REALS);
        if (same) {
            return List.of();
        }
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < COUNTER_COUNT; i++) {
            if (counters[c + i] != actual.counters[ac + i]) {
                differences.add(COUNTERS[i] + " " + counters[c + i] + " -> " + actual.counters[ac + i]);
            }
        }
        String[] kinds = {"min", "max", "sum"};
        for (int i = 0; i < REALS; i++) {
            if (Double.doubleToRawLongBits(reals[r + i]) != Double.doubleToRawLongBits(actual.reals[ar + i])) {
                String field = Measure.values()[i / 3].field() + "." + kinds[i % 3];
                differences.add(field + " " + reals[r + i] + " -> " + actual.reals[ar + i]);
            }
        }
        return differences;
    }
}
