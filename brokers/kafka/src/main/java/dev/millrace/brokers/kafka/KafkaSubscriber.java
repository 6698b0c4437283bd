package dev.millrace.brokers.kafka;

import dev.millrace.brokers.kafka.batch.BatchChunks;
import dev.millrace.brokers.kafka.batch.BatchConsumer;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A consumer without a group. */
final class KafkaSubscriber implements Subscriber {
    /** Whoever subscribes keeps the chunks: no arrays come back. */
    private final BatchChunks batches = new BatchChunks(new ChunkPool());

    /** Partitions that are read from their oldest record and have not given one yet. */
    private final Set<TopicPartition> fromOldest = new HashSet<>();

    private final KafkaConsumer<?, ?> consumer;
    private final String address;
    private final String topic;

    KafkaSubscriber(KafkaOptions options, String topic, int partitions, StartFrom startFrom) {
        this.address = options.address();
        this.topic = topic;
        Properties properties = options.consumerProperties();
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "30000");
        this.consumer = BatchConsumer.open(properties);
        try {
            seek(partitions, startFrom);
        } catch (RuntimeException e) {
            close();
            throw e instanceof KafkaException
                    ? KafkaCalls.failure(e, address, "find where to read topic '" + topic + "'")
                    : e;
        }
    }

    private void seek(int partitions, StartFrom startFrom) {
        List<TopicPartition> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        consumer.assign(all);
        if (startFrom instanceof StartFrom.Latest) {
            // Settled here: a seek to the end is carried out at the first poll, and what came in between would be lost.
            consumer.endOffsets(all).forEach(this::seek);
            return;
        }
        consumer.seekToBeginning(all);
        fromOldest.addAll(all);
        if (startFrom instanceof StartFrom.At at) {
            for (TopicPartition partition : all) {
                Position position = at.positions().get(partition.partition());
                if (position != null) {
                    seek(partition, position.minor());
                    fromOldest.remove(partition);
                }
            }
        }
    }

    private void seek(TopicPartition partition, long offset) {
        batches.begin(partition, offset);
        consumer.seek(partition, offset);
    }

    @Override
    public List<PayloadChunk> poll(Duration timeout) {
        ConsumerRecords<?, ?> polled;
        try {
            polled = consumer.poll(timeout);
        } catch (OffsetOutOfRangeException e) {
            Set<TopicPartition> gone = e.offsetOutOfRangePartitions().keySet();
            if (fromOldest.containsAll(gone)) {
                // Retention removed the oldest record between the question where it is and the first fetch.
                consumer.seekToBeginning(gone);
                return List.of();
            }
            throw new EnvironmentException(PositionGone.sentence(e.offsetOutOfRangePartitions()), e);
        } catch (KafkaException e) {
            throw KafkaCalls.failure(e, address, "read topic '" + topic + "'");
        }
        List<PayloadChunk> chunks = new ArrayList<>();
        for (TopicPartition partition : polled.partitions()) {
            fromOldest.remove(partition);
            batches.of(partition, polled, Long.MAX_VALUE).forEachRemaining(chunks::add);
        }
        return chunks;
    }

    @Override
    public void close() {
        consumer.close(Duration.ofSeconds(5));
    }
}
