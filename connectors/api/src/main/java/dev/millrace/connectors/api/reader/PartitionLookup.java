package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.Position;
import java.util.Map;

/** Asks the broker for a topic's partitions. Called on a thread that may wait; {@link #close} ends a question under way. */
public interface PartitionLookup extends AutoCloseable {

    /**
     * The partitions from number {@code from} on, each with the position behind its newest record; empty when there are no
     * more. Throws when the topic is not there or the broker does not answer.
     */
    Map<Integer, Position> ends(int from);

    @Override
    void close();
}
