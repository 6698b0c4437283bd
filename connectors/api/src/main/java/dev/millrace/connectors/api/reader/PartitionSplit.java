package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import org.apache.flink.api.connector.source.SourceSplit;
import org.jspecify.annotations.Nullable;

/**
 * One partition from a position to a position.
 *
 * @param start the first record to read; null is the oldest that is there
 * @param stop where to end, exclusive; null never ends
 * @param indexBefore {@link PayloadChunk#lastIndex()} of the record before {@code start}
 */
public record PartitionSplit(
        String topic, int partition, @Nullable Position start, @Nullable Position stop, long indexBefore)
        implements SourceSplit {

    /** One of which nothing was read yet. */
    public PartitionSplit(String topic, int partition, @Nullable Position start, @Nullable Position stop) {
        this(topic, partition, start, stop, PayloadChunk.NOT_COUNTED);
    }

    @Override
    public String splitId() {
        return topic + "-" + partition;
    }

    /** What is left behind the record at {@code last}, whose {@link PayloadChunk#lastIndex()} is {@code lastIndex}. */
    public PartitionSplit behind(Position last, long lastIndex) {
        return new PartitionSplit(topic, partition, new Position(last.major(), last.minor() + 1), stop, lastIndex);
    }

    /** The partition of a {@link #splitId()}. */
    public static int partition(String splitId) {
        return Integer.parseInt(splitId.substring(splitId.lastIndexOf('-') + 1));
    }
}
