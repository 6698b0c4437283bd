package dev.millrace.core.latest;

import java.util.Arrays;

/**
 * What one device sent in a slice that is not closed: a list by event type. A device sends few readings in a slice, so a list
 * that is read and written whole costs RocksDB one entry where a map would cost one for each type, and one more to remove it.
 * Not thread-safe.
 */
final class OpenSlice {
    String[] types;
    long[] latest;
    long[] readings;
    int count;

    OpenSlice() {
        this(4);
    }

    OpenSlice(int room) {
        types = new String[room];
        latest = new long[room];
        readings = new long[room];
    }

    void add(String type, long eventTime) {
        for (int i = 0; i < count; i++) {
            if (types[i].equals(type)) {
                latest[i] = Math.max(latest[i], eventTime);
                readings[i]++;
                return;
            }
        }
        if (count == types.length) {
            types = Arrays.copyOf(types, 2 * count);
            latest = Arrays.copyOf(latest, 2 * count);
            readings = Arrays.copyOf(readings, 2 * count);
        }
        types[count] = type;
        latest[count] = eventTime;
        readings[count++] = 1;
    }

    int count() {
        return count;
    }

    String type(int i) {
        return types[i];
    }

    long latest(int i) {
        return latest[i];
    }

    long readings(int i) {
        return readings[i];
    }
}
