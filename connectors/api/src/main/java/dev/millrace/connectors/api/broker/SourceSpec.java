package dev.millrace.connectors.api.broker;

import java.io.Serializable;
import java.time.Duration;

/**
 * What the job reads.
 *
 * @param readerGroup under which the position is reported to the broker on each completed checkpoint
 * @param partitionDiscovery how often to look for new partitions; zero never looks
 */
public record SourceSpec(
        String topic, String readerGroup, StartFrom startFrom, StopAt stopAt, Duration partitionDiscovery)
        implements Serializable {

    /** From the oldest record, for ever, looking for new partitions every 10 s. */
    public static SourceSpec of(String topic, String readerGroup) {
        return new SourceSpec(topic, readerGroup, new StartFrom.Earliest(), StopAt.NEVER, Duration.ofSeconds(10));
    }
}
