package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.KeyPartitions;
import dev.millrace.connectors.api.broker.SinkSpec;
import java.util.Properties;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The official sink, at least once. */
final class KafkaTopicSink {
    /** How long a full buffer may hold the job up in an outage before the job starts again from its checkpoint. */
    private static final String BLOCK_MILLIS = "300000";

    private KafkaTopicSink() {}

    static <T> Sink<T> of(KafkaOptions options, SinkSpec<T> spec) {
        Properties properties = options.producerProperties();
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
        if (!spec.sendLimit().isZero()) {
            limit(properties, spec.sendLimit().toMillis());
        }
        return KafkaSink.<T>builder()
                .setBootstrapServers(options.address())
                .setKafkaProducerConfig(properties)
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new Encoding<>(spec))
                .build();
    }

    /** The client takes no limit that is shorter than its linger and one request together. */
    private static void limit(Properties properties, long millis) {
        long linger = Long.parseLong(properties.getProperty(ProducerConfig.LINGER_MS_CONFIG, "0"));
        long request = Long.parseLong(properties.getProperty(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "30000"));
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Long.toString(millis));
        properties.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Long.toString(Math.max(1, Math.min(request, millis - linger))));
    }

    private record Encoding<T>(SinkSpec<T> spec) implements KafkaRecordSerializationSchema<T> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(T element, KafkaSinkContext context, Long timestamp) {
            byte[] key = spec.encoder().key(element);
            int partitions = context.getPartitionsForTopic(spec.topic()).length;
            return new ProducerRecord<>(
                    spec.topic(),
                    KeyPartitions.of(key, partitions),
                    KafkaTimes.orNone(spec.encoder().timestamp(element)),
                    key,
                    spec.encoder().value(element));
        }
    }
}
