package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.reader.OffsetLag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Up to where partitions that have a leader can be read now, for who may wait for the answer; see {@link PartitionEnds} about those that
 * have none.
 */
final class LedEnds implements OffsetLag.Ends {
    private static final Logger LOG = LoggerFactory.getLogger(LedEnds.class);
    /** Whose answer is not there by then is asked for again. */
    private static final long BOUND_SECONDS = 3;

    private final EndOffsets endOffsets;

    LedEnds(Properties adminProperties) {
        this.endOffsets = new EndOffsets(adminProperties, IsolationLevel.READ_COMMITTED);
    }

    @Override
    public Map<String, Long> of(Set<String> splitIds) {
        Map<TopicPartition, String> wanted = new HashMap<>();
        splitIds.forEach(splitId -> wanted.put(partition(splitId), splitId));
        Map<String, Long> ends = new HashMap<>();
        endOffsets.apply(led(wanted.keySet())).forEach((partition, answer) -> {
            Long end = answer(answer);
            if (end != null) {
                ends.put(wanted.get(partition), end);
            }
        });
        return ends;
    }

    private List<TopicPartition> led(Set<TopicPartition> partitions) {
        Set<String> topics = partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet());
        List<TopicPartition> led = new ArrayList<>();
        endOffsets.describe(topics).forEach((topic, answer) -> {
            TopicDescription description = answer(answer);
            if (description != null) {
                description.partitions().stream()
                        .filter(one -> one.leader() != null && !one.leader().isEmpty())
                        .map(one -> new TopicPartition(topic, one.partition()))
                        .filter(partitions::contains)
                        .forEach(led::add);
            }
        });
        return led;
    }

    /** Null when it is not there in time: it is asked for again. */
    private static <T> @Nullable T answer(KafkaFuture<T> coming) {
        try {
            return coming.get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the broker does not say where partitions end", e);
            return null;
        }
    }

    /** The way back from {@link org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit#toSplitId}. */
    private static TopicPartition partition(String splitId) {
        int dash = splitId.lastIndexOf('-');
        return new TopicPartition(splitId.substring(0, dash), Integer.parseInt(splitId.substring(dash + 1)));
    }

    @Override
    public void close() {
        endOffsets.close();
    }
}
