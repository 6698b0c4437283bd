package dev.millrace.brokers.kafka.baseline;

import dev.millrace.brokers.kafka.KafkaBroker;
import dev.millrace.brokers.kafka.KafkaOptions;
import dev.millrace.connectors.api.baseline.PartitionThreads;
import dev.millrace.connectors.api.baseline.RawReader;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One consumer for each thread, polled; counts by the poll. */
public final class KafkaRawReader implements RawReader {
    private static final Duration POLL_BOUND = Duration.ofMillis(200);
    /** Nothing for so long although the ends are not reached: it does not come any more. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public void read(Options options, String topic, int threads, LongAdder records) throws Exception {
        KafkaOptions bound = KafkaOptions.bind(options);
        List<Map.Entry<TopicPartition, Long>> ends = new ArrayList<>();
        try (BrokerClient client = new KafkaBroker().connect(options)) {
            client.endPositions(topic)
                    .forEach(
                            (partition, end) -> ends.add(Map.entry(new TopicPartition(topic, partition), end.minor())));
        }
        List<PartitionThreads.Reading> readings = new ArrayList<>();
        for (List<Map.Entry<TopicPartition, Long>> share : PartitionThreads.shares(ends, threads)) {
            readings.add(() -> read(bound, share, records));
        }
        PartitionThreads.runAll(readings);
    }

    private static void read(KafkaOptions options, List<Map.Entry<TopicPartition, Long>> share, LongAdder records) {
        Map<TopicPartition, Long> open = new HashMap<>();
        share.forEach(end -> open.put(end.getKey(), end.getValue()));
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                options.consumerProperties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(open.keySet());
            consumer.seekToBeginning(open.keySet());
            long heardNanos = System.nanoTime();
            while (!open.isEmpty()) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL_BOUND);
                if (!polled.isEmpty()) {
                    records.add(countBefore(open, polled));
                    heardNanos = System.nanoTime();
                }
                // By position, because the last offsets may hold no record.
                if (open.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue())) {
                    consumer.assign(open.keySet());
                } else if (System.nanoTime() - heardNanos > SILENCE.toNanos()) {
                    throw new EnvironmentException("Kafka at " + options.address() + " has sent nothing of "
                            + open.keySet() + " for " + SILENCE.toSeconds() + " s, and their ends are not reached");
                }
            }
        }
    }

    /** Those that stand before their partition's end; what was published since the call is left out. */
    private static int countBefore(Map<TopicPartition, Long> ends, ConsumerRecords<byte[], byte[]> polled) {
        int count = polled.count();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> own = polled.records(partition);
            long end = ends.get(partition);
            for (int i = own.size() - 1; i >= 0 && own.get(i).offset() >= end; i--) {
                count--;
            }
        }
        return count;
    }
}
