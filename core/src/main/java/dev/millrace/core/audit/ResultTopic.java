package dev.millrace.core.audit;

import dev.millrace.core.window.DeviceWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The rows of a topic that is written at least once: a row may stand there several times. Where readings may be late it may be another
 * one each time: what was late before a restart may be in time after it, and the last one is the one that the job went on with.
 * Takes rows in the order of each partition and hands them on sorted as an {@link Audit} wants them. Holds them all; not thread-safe.
 */
public final class ResultTopic {
    private final TreeMap<Key, List<DeviceWindow>> rows = new TreeMap<>();
    private long repeated;

    /** Takes a row as it was read. */
    public void add(DeviceWindow row) {
        List<DeviceWindow> same =
                rows.computeIfAbsent(new Key(row.windowEnd(), row.deviceId()), key -> new ArrayList<>(1));
        if (same.remove(row)) {
            repeated++;
        }
        same.add(row);
    }

    /**
     * Windows with {@code from < windowEnd <= to}, in order of window end, then device.
     *
     * @param isLastValid of rows of one window that differ only the last is handed on; otherwise all are, so that the audit finds those
     *     that contradict it surplus
     */
    public void windows(long from, long to, boolean isLastValid, Consumer<DeviceWindow> consumer) {
        rows.forEach((key, same) -> {
            if (key.windowEnd > from && key.windowEnd <= to) {
                same.subList(isLastValid ? same.size() - 1 : 0, same.size()).forEach(consumer);
            }
        });
    }

    /** How many rows were followed by another one of the same window with other values. */
    public long superseded() {
        return rows.values().stream().mapToLong(same -> same.size() - 1L).sum();
    }

    /** How many there are, repetitions aside. */
    public long rows() {
        return rows.values().stream().mapToLong(List::size).sum();
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
