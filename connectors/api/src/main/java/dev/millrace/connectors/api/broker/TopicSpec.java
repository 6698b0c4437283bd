package dev.millrace.connectors.api.broker;

import java.time.Duration;

/**
 * A topic to be made.
 *
 * @param partitions at least 1
 * @param replicas at least 1; a broker with fewer servers refuses with a sentence. 0 leaves it to what the broker's owner has
 *     set for topics that do not say.
 * @param retentionBytes of the whole topic, over all partitions; -1 keeps everything. The broker may keep more, by at most a
 *     segment of each partition.
 * @param retention readings younger than this stay unless {@code retentionBytes} is reached, read or not
 */
public record TopicSpec(String name, int partitions, int replicas, long retentionBytes, Duration retention) {

    /** One replica, 1 GiB, 24 hours. */
    public static TopicSpec of(String name, int partitions) {
        return new TopicSpec(name, partitions, 1, 1L << 30, Duration.ofHours(24));
    }
}
