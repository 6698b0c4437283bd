package dev.millrace.brokers.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * High watermarks, by an admin client of its own: it waits for no fetch, and of a partition without a leader it waits for that alone.
 * Opened when it is first asked. Used by one thread.
 */
final class EndOffsets
        implements Function<Collection<TopicPartition>, Map<TopicPartition, KafkaFuture<Long>>>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndOffsets.class);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(2);

    private final Properties properties;
    private @Nullable Admin admin;

    EndOffsets(Properties adminProperties) {
        this.properties = adminProperties;
    }

    @Override
    public Map<TopicPartition, KafkaFuture<Long>> apply(Collection<TopicPartition> partitions) {
        if (admin == null) {
            try {
                admin = Admin.create(properties);
            } catch (KafkaException e) {
                // The broker's name is unknown just now, as a pod's that is away: no answer, and no failure of the job.
                // What is wrong
                // with settings the consumer has said.
                LOG.debug("ends cannot be asked for", e);
                return Map.of();
            }
        }
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
        ListOffsetsResult answers = admin.listOffsets(
                wanted,
                new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED)
                        .timeoutMs(Math.toIntExact(ANSWER_BOUND.toMillis())));
        Map<TopicPartition, KafkaFuture<Long>> ends = new HashMap<>();
        partitions.forEach(partition ->
                ends.put(partition, answers.partitionResult(partition).thenApply(ListOffsetsResultInfo::offset)));
        return ends;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
