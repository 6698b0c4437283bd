package dev.millrace.brokers.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends of partitions, by an admin client of its own: it waits for no fetch, and of a partition without a leader it waits for that alone.
 * Opened when it is first asked. Used by one thread, but for {@link #close}.
 */
final class EndOffsets
        implements Function<Collection<TopicPartition>, Map<TopicPartition, KafkaFuture<Long>>>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndOffsets.class);
    private static final int BOUND_MILLIS = 2_000;

    private final Properties properties;
    private final IsolationLevel isolation;
    private @Nullable Admin admin;
    private boolean closed;

    /** @param isolation where the end is: at the high watermark, or before what is of an open transaction */
    EndOffsets(Properties adminProperties, IsolationLevel isolation) {
        this.properties = adminProperties;
        this.isolation = isolation;
    }

    @Override
    public Map<TopicPartition, KafkaFuture<Long>> apply(Collection<TopicPartition> partitions) {
        Admin open = admin();
        if (open == null || partitions.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
        ListOffsetsResult answers = open.listOffsets(wanted, new ListOffsetsOptions(isolation).timeoutMs(BOUND_MILLIS));
        Map<TopicPartition, KafkaFuture<Long>> ends = new HashMap<>();
        partitions.forEach(partition ->
                ends.put(partition, answers.partitionResult(partition).thenApply(ListOffsetsResultInfo::offset)));
        return ends;
    }

    /** What these topics are; waits for no answer. */
    Map<String, KafkaFuture<TopicDescription>> describe(Collection<String> topics) {
        Admin open = admin();
        return open == null
                ? Map.of()
                : open.describeTopics(topics, new DescribeTopicsOptions().timeoutMs(BOUND_MILLIS))
                        .topicNameValues();
    }

    /** Null while there can be none. */
    private @Nullable Admin admin() {
        synchronized (this) {
            if (admin != null || closed) {
                return admin;
            }
        }
        try {
            // It may have to wait for a name or a login, and who closes this does not.
            return keep(Admin.create(properties));
        } catch (KafkaException e) {
            // The broker's name is unknown just now, as a pod's that is away: no answer, and no failure of the job.
            // What is wrong with settings the consumer has said.
            LOG.debug("ends cannot be asked for", e);
            return null;
        }
    }

    private synchronized @Nullable Admin keep(Admin made) {
        if (closed) {
            made.close(Duration.ZERO);
            return null;
        }
        admin = made;
        return made;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
