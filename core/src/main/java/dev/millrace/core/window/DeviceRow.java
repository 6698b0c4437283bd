package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.Measure;
import dev.millrace.core.reading.Status;
import java.util.Arrays;

/**
 * What {@link Accumulator} knows of one device in one slice, as consecutive elements of an array of longs (doubles by their
 * bits): so a row that is not in the cache costs as few loads as there can be, and no row costs an object. Adding gives bit
 * for bit what {@link Accumulator#add} gives.
 */
final class DeviceRow {
    private static final int FIRST_SEQUENCE = 0;
    private static final int LAST_SEQUENCE = 1;
    private static final int LATEST_INTENDED_SEND_TIME = 2;
    private static final int ERROR_COUNT = 3;
    private static final int PACKETS_SENT = 4;
    private static final int PACKETS_RECEIVED = 5;
    private static final int BYTES_SENT = 6;
    private static final int BYTES_RECEIVED = 7;
    /** Two states to an element, half of it each; how many readings there are is their sum. */
    private static final int STATUS_READINGS = 8;

    /** Before a row holds so many it must go: more do not fit the half of a long. */
    static final long MOST_READINGS = 0xFFFF_FFFFL;

    private static final int SUM = STATUS_READINGS + (Status.COUNT + 1) / 2;
    private static final int MIN = SUM + Measure.COUNT;
    private static final int MAX = MIN + Measure.COUNT;

    /** Elements of one row. */
    static final int LONGS = MAX + Measure.COUNT;

    private static final long[] EMPTY = empty();

    private DeviceRow() {}

    private static long[] empty() {
        long[] row = new long[LONGS];
        row[FIRST_SEQUENCE] = Long.MAX_VALUE;
        row[LAST_SEQUENCE] = Long.MIN_VALUE;
        row[LATEST_INTENDED_SEND_TIME] = Long.MIN_VALUE;
        Arrays.fill(row, MIN, MIN + Measure.COUNT, Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
        Arrays.fill(row, MAX, MAX + Measure.COUNT, Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));
        return row;
    }

    /** Makes the row at {@code row} an empty one. */
    static void clear(long[] rows, int row) {
        System.arraycopy(EMPTY, 0, rows, row, LONGS);
    }

    /** Adds one reading to the row at {@code row}. */
    static void add(long[] rows, int row, DecodedReading reading) {
        rows[row + FIRST_SEQUENCE] = Math.min(rows[row + FIRST_SEQUENCE], reading.sequence());
        rows[row + LAST_SEQUENCE] = Math.max(rows[row + LAST_SEQUENCE], reading.sequence());
        rows[row + LATEST_INTENDED_SEND_TIME] =
                Math.max(rows[row + LATEST_INTENDED_SEND_TIME], reading.intendedSendTime());
        rows[row + ERROR_COUNT] += reading.errorCount();
        rows[row + PACKETS_SENT] += reading.packetsSent();
        rows[row + PACKETS_RECEIVED] += reading.packetsReceived();
        rows[row + BYTES_SENT] += reading.bytesSent();
        rows[row + BYTES_RECEIVED] += reading.bytesReceived();
        rows[row + STATUS_READINGS + (reading.status() >>> 1)] += 1L << shift(reading.status());
        for (int i = 0; i < Measure.COUNT; i++) {
            double value = reading.measure(i);
            int sum = row + SUM + i;
            int min = row + MIN + i;
            int max = row + MAX + i;
            rows[sum] = bits(number(rows[sum]) + value);
            rows[min] = bits(Math.min(number(rows[min]), value));
            rows[max] = bits(Math.max(number(rows[max]), value));
        }
    }

    /** Writes the row at {@code row} over what {@code values} holds. */
    static void read(long[] rows, int row, Accumulator values) {
        values.firstSequence = rows[row + FIRST_SEQUENCE];
        values.lastSequence = rows[row + LAST_SEQUENCE];
        values.latestIntendedSendTime = rows[row + LATEST_INTENDED_SEND_TIME];
        values.errorCount = rows[row + ERROR_COUNT];
        values.packetsSent = rows[row + PACKETS_SENT];
        values.packetsReceived = rows[row + PACKETS_RECEIVED];
        values.bytesSent = rows[row + BYTES_SENT];
        values.bytesReceived = rows[row + BYTES_RECEIVED];
        values.readings = 0;
        for (int status = 0; status < Status.COUNT; status++) {
            long readings = rows[row + STATUS_READINGS + (status >>> 1)] >>> shift(status) & MOST_READINGS;
            values.statusReadings[status] = readings;
            values.readings += readings;
        }
        for (int i = 0; i < Measure.COUNT; i++) {
            values.sum[i] = number(rows[row + SUM + i]);
            values.min[i] = number(rows[row + MIN + i]);
            values.max[i] = number(rows[row + MAX + i]);
        }
    }

    private static int shift(int status) {
        return (status & 1) * Integer.SIZE;
    }

    private static double number(long bits) {
        return Double.longBitsToDouble(bits);
    }

    private static long bits(double number) {
        return Double.doubleToRawLongBits(number);
    }
}
