package dev.millrace.connectors.api.store;

import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A connection to a store. Thread-safe. A store that does not answer is waited for with back-off, at most 2 min, then
 * EnvironmentException; a block that the store will never take (bad rows) is IllegalArgumentException with the store's words.
 */
public interface StoreClient extends AutoCloseable {

    /** Makes the tables, or checks the ones that are there; refuses with a sentence when they do not fit. */
    void prepare();

    /** Inserts a block exactly once: all rows or none, and nothing when its token was taken before. */
    void insert(StoreBlock block);

    /** {@link Extent#completeTo()}, at a cost that does not grow with the tables: for who asks again and again. */
    long completeTo();

    /** How far the job's rows are complete, and how many there are. */
    Extent extent();

    /** Calls {@code consumer} for every window with {@code from < windowEnd <= to} (epoch milliseconds), in order of window end, then device. */
    void windows(long from, long to, Consumer<DeviceWindow> consumer);

    /** Calls {@code consumer} for the newest row of every device and event type, in order of device, then event type. */
    void latestTimes(Consumer<LatestTime> consumer);

    /** Calls {@code consumer} for every dead letter, in order of partition, then position. */
    void deadLetters(Consumer<DeadLetter> consumer);

    /** Runs a read-only SQL query in the store's dialect; each row as column name to value. */
    List<Map<String, Object>> query(String sql);

    /** A text as it is written in the store's dialect. */
    default String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    void close();

    /**
     * What of the tables can be relied on.
     *
     * @param completeTo epoch milliseconds: every row of a window or slice that ends by then was inserted ({@link
     *     Long#MIN_VALUE}: none yet). For each number of writers that has reported from all its writers: the least watermark +
     *     1; the greatest of those.
     * @param retainedFrom epoch milliseconds: windows that end by then may have been dropped by retention
     * @param windows rows in the windows table; of a great many, some that were inserted again may be counted twice
     * @param latestTimes devices and event types in the latest times table
     * @param deadLetters rows in the dead letters table
     * @param lastWindowEnd the greatest window end, or {@code as_of}, that there is, epoch milliseconds; {@link Long#MIN_VALUE}
     *     when there is none
     */
    record Extent(
            long completeTo, long retainedFrom, long windows, long latestTimes, long deadLetters, long lastWindowEnd) {

        /** Rows of the job, whichever it is. */
        public long rows() {
            return windows + latestTimes;
        }
    }
}
