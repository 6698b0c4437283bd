package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.SourceSpec;
import dev.millrace.connectors.api.broker.StopAt;
import dev.millrace.connectors.api.reader.ChunkReader;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.api.reader.PendingRecords;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A source of chunks: the official connector's enumerator, splits and their serializers by delegation, a split reader of our own.
 */
final class KafkaChunkSource implements Source<PayloadChunk, KafkaPartitionSplit, TopicState> {
    /** How long a look for new partitions waits an outage out before it fails the job. */
    private static final Duration DISCOVERY_BOUND = Duration.ofMinutes(5);

    private final KafkaOptions options;
    private final SourceSpec spec;
    private final KafkaSource<byte[]> official;

    KafkaChunkSource(KafkaOptions options, SourceSpec spec) {
        this.options = options;
        this.spec = spec;
        this.official = OfficialConnector.<byte[]>builder(options, spec)
                .setProperties(enumeratorProperties())
                .setDeserializer(KafkaRecordDeserializationSchema.valueOnly(ByteArrayDeserializer.class))
                .build();
    }

    private Properties enumeratorProperties() {
        Properties properties = new Properties();
        properties.putAll(options.admin());
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(DISCOVERY_BOUND.toMillis()));
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
        return properties;
    }

    @Override
    public Boundedness getBoundedness() {
        return official.getBoundedness();
    }

    @Override
    public SourceReader<PayloadChunk, KafkaPartitionSplit> createReader(SourceReaderContext context) {
        Properties properties = options.consumerProperties();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, spec.readerGroup());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, spec.readerGroup() + "-reader-" + context.getIndexOfSubtask());
        Properties admin = adminProperties("ends-" + context.getIndexOfSubtask());
        PendingRecords pending = new PendingRecords();
        Properties lagAdmin = adminProperties("lag-" + context.getIndexOfSubtask());
        return new ChunkReader<>(
                spec.topic(),
                KafkaPartitionSplit::getTopic,
                () -> new KafkaChunkSplitReader(
                        properties, admin, new OffsetLag(pending, new LedEnds(lagAdmin), context.getIndexOfSubtask())),
                KafkaChunkSource::behind,
                new KafkaPositionCommitter(options, spec.topic(), spec.readerGroup()),
                pending,
                context);
    }

    private static KafkaPartitionSplit behind(KafkaPartitionSplit split, Position last, long ignored) {
        return new KafkaPartitionSplit(
                split.getTopicPartition(),
                last.minor() + 1,
                split.getStoppingOffset().orElse(KafkaPartitionSplit.NO_STOPPING_OFFSET));
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, TopicState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return ofOneTopic(official.createEnumerator(context), context, false, Uuid.ZERO_UUID);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, TopicState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, TopicState checkpoint) throws IOException {
        KafkaSourceEnumState state = checkpoint.official();
        boolean allAssigned = spec.stopAt() == StopAt.END
                && state.initialDiscoveryFinished()
                && state.unassignedInitialPartitions().isEmpty();
        return ofOneTopic(official.restoreEnumerator(context, state), context, allAssigned, checkpoint.topicId());
    }

    private OneTopicEnumerator ofOneTopic(
            SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator,
            SplitEnumeratorContext<KafkaPartitionSplit> context,
            boolean allAssigned,
            Uuid topicId) {
        return new OneTopicEnumerator(
                enumerator, context, allAssigned, spec.topic(), topicId, adminProperties("topic"));
    }

    private Properties adminProperties(String what) {
        Properties properties = options.adminProperties();
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, spec.readerGroup() + "-" + what);
        return properties;
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return official.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<TopicState> getEnumeratorCheckpointSerializer() {
        return new TopicState.Serializer(official.getEnumeratorCheckpointSerializer());
    }
}
