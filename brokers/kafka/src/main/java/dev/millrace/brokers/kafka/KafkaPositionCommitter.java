package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.reader.PositionCommitter;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reports a reader group's offsets by way of an admin client of its own: the consumer belongs to the fetch thread. */
final class KafkaPositionCommitter implements PositionCommitter {
    private final KafkaOptions options;
    private final String topic;
    private final String readerGroup;
    private @Nullable Admin admin;
    private boolean closed;

    KafkaPositionCommitter(KafkaOptions options, String topic, String readerGroup) {
        this.options = options;
        this.topic = topic;
        this.readerGroup = readerGroup;
    }

    @Override
    public void commit(Map<String, Position> lastRead) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        lastRead.forEach((splitId, last) -> offsets.put(partition(splitId), new OffsetAndMetadata(last.minor() + 1)));
        Admin open = admin();
        if (open != null) {
            open.alterConsumerGroupOffsets(readerGroup, offsets)
                    .all()
                    .get(KafkaCalls.BOUND_SECONDS + 2, TimeUnit.SECONDS);
        }
    }

    private TopicPartition partition(String splitId) {
        TopicPartition partition =
                new TopicPartition(topic, Integer.parseInt(splitId.substring(splitId.lastIndexOf('-') + 1)));
        if (!KafkaPartitionSplit.toSplitId(partition).equals(splitId)) {
            throw new IllegalArgumentException("split '" + splitId + "' is not of topic '" + topic + "'");
        }
        return partition;
    }

    private synchronized @Nullable Admin admin() {
        if (admin == null && !closed) {
            admin = Admin.create(options.adminProperties());
        }
        return admin;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (admin != null) {
            // What is still under way fails, which ends its commit.
            admin.close(Duration.ZERO);
        }
    }
}
