package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.Position;
import java.util.Map;

/**
 * A connection from outside Flink. Thread-safe, except that each publisher and subscriber belongs to one thread. Methods
 * throw EnvironmentException when the broker does not answer within 30 s, UserException when the input is wrong. Closing
 * leaves no thread behind.
 */
public interface BrokerClient extends AutoCloseable {

    /**
     * Makes the topic; one that is there with as many partitions is left as it is, or finished where its making was cut short, and
     * with another number it is refused.
     */
    void createTopic(TopicSpec spec);

    /** Removes the topic and its readings; one that is not there is no error. */
    void deleteTopic(String topic);

    /** Raises the number of partitions; needs {@link Capability#ADDS_PARTITIONS}. */
    void addPartitions(String topic, int partitions);

    /** The topic's number of partitions, 0 when it is not there. */
    int partitions(String topic);

    /**
     * Opens a publisher; waits until the topic's partitions are known, so that the first offer is accepted.
     *
     * @param name who publishes; stable over restarts, so that a broker which deduplicates by name can
     */
    Publisher publisher(String topic, String name);

    /** Opens a reader without a reader group. */
    Subscriber subscriber(String topic, StartFrom startFrom);

    /**
     * Opens the reader of a reader group, which must have no other one; what the group has confirmed before does not count.
     *
     * @param startFrom where the group begins to read
     */
    GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom);

    /** For each partition, the position behind its newest record: where {@link StartFrom.At} would begin to wait. */
    Map<Integer, Position> endPositions(String topic);

    /** Records that the reader group has not confirmed yet, over all partitions; all that are there when it never did. */
    long lag(String topic, String readerGroup);

    /** Forgets what the reader group has confirmed of the topic; one that never did is no error. */
    void deleteReaderGroup(String topic, String readerGroup);

    /** What the live broker says of itself and of the topic. */
    EffectiveSettings effectiveSettings(String topic);

    @Override
    void close();
}
