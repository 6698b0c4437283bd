package dev.millrace.core.audit;

import dev.millrace.core.window.DeviceWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The rows of a topic that is written at least once: a row may stand there several times, but then it must be the same.
 * Takes them in any order and hands each on once, sorted as an {@link Audit} wants them; one that contradicts an earlier
 * one is handed on too, so that the audit finds it surplus. Holds them all; not thread-safe.
 */
public final class ResultTopic {
    private final TreeMap<Key, List<DeviceWindow>> rows = new TreeMap<>();
    private long repeated;

    /** Takes a row as it was read. */
    public void add(DeviceWindow row) {
        List<DeviceWindow> same =
                rows.computeIfAbsent(new Key(row.windowEnd(), row.deviceId()), key -> new ArrayList<>(1));
        if (same.contains(row)) {
            repeated++;
        } else {
            same.add(row);
        }
    }

    /** Windows with {@code from < windowEnd <= to}, in order of window end, then device. */
    public void windows(long from, long to, Consumer<DeviceWindow> consumer) {
        rows.forEach((key, same) -> {
            if (key.windowEnd > from && key.windowEnd <= to) {
                same.forEach(consumer);
            }
        });
    }

    /** How many rows were mere repetitions, which is allowed. */
    public long repeated() {
        return repeated;
    }

    private record Key(long windowEnd, String deviceId) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparingLong(Key::windowEnd).thenComparing(Key::deviceId);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }
}
