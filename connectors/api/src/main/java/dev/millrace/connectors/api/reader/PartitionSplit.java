package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.Position;
import org.apache.flink.api.connector.source.SourceSplit;
import org.jspecify.annotations.Nullable;

/**
 * One partition from a position to a position.
 *
 * @param start the first record to read; null is the oldest that is there
 * @param stop where to end, exclusive; null never ends
 */
public record PartitionSplit(String topic, int partition, @Nullable Position start, @Nullable Position stop)
        implements SourceSplit {

    @Override
    public String splitId() {
        return topic + "-" + partition;
    }

    /** What is left behind the record at {@code last}. */
    public PartitionSplit behind(Position last) {
        return new PartitionSplit(topic, partition, new Position(last.major(), last.minor() + 1), stop);
    }

    /** The partition of a {@link #splitId()}. */
    public static int partition(String splitId) {
        return Integer.parseInt(splitId.substring(splitId.lastIndexOf('-') + 1));
    }
}
