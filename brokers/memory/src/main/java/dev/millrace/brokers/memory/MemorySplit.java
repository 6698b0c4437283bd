package dev.millrace.brokers.memory;

import dev.millrace.core.reading.Position;
import org.apache.flink.api.connector.source.SourceSplit;
import org.jspecify.annotations.Nullable;

/**
 * One partition from a position to a position.
 *
 * @param start the first record to read; null is the oldest that is there
 * @param stop where to end, exclusive; null never ends
 */
record MemorySplit(String topic, int partition, @Nullable Position start, @Nullable Position stop)
        implements SourceSplit {

    @Override
    public String splitId() {
        return topic + "-" + partition;
    }

    /** What is left behind the record at {@code last}. */
    MemorySplit behind(Position last) {
        return new MemorySplit(topic, partition, new Position(last.major(), last.minor() + 1), stop);
    }
}
