package dev.millrace.perf.fanout;

import java.util.HashMap;
import java.util.Map;

/**
 * Whether readings come without a gap and none twice, by the devices' own sequences: a device counts its readings, and its readings
 * are in one partition in their order. What stands before a device's first reading is not judged. Not thread-safe.
 */
final class Deliveries {
    private final Map<String, long[]> nextOfDevices = new HashMap<>();
    private long readings;
    private long missing;
    private long repeated;

    void add(String deviceId, long sequence) {
        readings++;
        long[] next = nextOfDevices.computeIfAbsent(deviceId, device -> new long[] {sequence});
        if (sequence < next[0]) {
            repeated++;
        } else {
            missing += sequence - next[0];
            next[0] = sequence + 1;
        }
    }

    /** All that came. */
    long readings() {
        return readings;
    }

    /** Readings between others of their device that did not come. */
    long missing() {
        return missing;
    }

    /** Readings that came although they, or a later one of their device, had come before. */
    long repeated() {
        return repeated;
    }
}
