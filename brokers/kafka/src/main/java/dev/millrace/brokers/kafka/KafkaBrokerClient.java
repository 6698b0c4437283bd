package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics, offsets and settings by way of Kafka's admin client. */
final class KafkaBrokerClient implements BrokerClient {
    private static final long SEGMENT_MILLIS_MIN = 1000;
    private static final long SEGMENT_BYTES_MAX = 64L << 20;
    /** The least that a 4.x server takes. */
    private static final long SEGMENT_BYTES_MIN = 1L << 20;

    private static final Duration BOUND = Duration.ofSeconds(KafkaCalls.BOUND_SECONDS);

    private final KafkaOptions options;
    private final Admin admin;

    private KafkaBrokerClient(KafkaOptions options, Admin admin) {
        this.options = options;
        this.admin = admin;
    }

    static KafkaBrokerClient connect(KafkaOptions options) {
        Admin admin;
        try {
            admin = Admin.create(options.adminProperties());
        } catch (KafkaException e) {
            throw KafkaCalls.unusable(e, "cannot reach Kafka at " + options.address());
        }
        KafkaBrokerClient client = new KafkaBrokerClient(options, admin);
        try {
            client.await(admin.describeCluster().nodes(), "describe itself");
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private <T> T await(java.util.concurrent.Future<T> answer, String what) {
        return KafkaCalls.await(answer, options.address(), what);
    }

    private <T> T await(org.apache.kafka.common.KafkaFuture<T> answer, String what) {
        return await(answer.toCompletionStage().toCompletableFuture(), what);
    }

    @Override
    public void createTopic(TopicSpec spec) {
        int there = partitions(spec.name());
        if (there == 0) {
            create(spec);
            there = partitions(spec.name());
        }
        if (there != spec.partitions()) {
            throw new UserException("topic '" + spec.name() + "' is there with " + there + " partitions, not "
                    + spec.partitions() + "; delete it, take another name or ask for " + there);
        }
        awaitLeaders(spec.name(), spec.partitions());
    }

    private void create(TopicSpec spec) {
        Map<String, String> settings = new HashMap<>();
        long partitionBytes = spec.retentionBytes() < 0 ? -1 : Math.max(1, spec.retentionBytes() / spec.partitions());
        long segmentBytes = partitionBytes < 0
                ? SEGMENT_BYTES_MAX
                : Math.min(SEGMENT_BYTES_MAX, Math.max(SEGMENT_BYTES_MIN, partitionBytes / 4));
        settings.put(TopicConfig.RETENTION_BYTES_CONFIG, Long.toString(partitionBytes));
        settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, Long.toString(segmentBytes));
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        // Kafka counts age from a record's timestamp. With the event time there, readings of last week would be gone
        // within seconds; with the time of the append they stay as long as promised, and no event time is refused.
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        settings.put(
                TopicConfig.RETENTION_MS_CONFIG,
                Long.toString(Math.max(1, spec.retention().toMillis())));
        // Only whole segments are removed: one that fills slowly is closed after a quarter of the retention.
        settings.put(
                TopicConfig.SEGMENT_MS_CONFIG,
                Long.toString(Math.max(SEGMENT_MILLIS_MIN, spec.retention().toMillis() / 4)));
        if (spec.replicas() > 2) {
            settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(spec.replicas() - 1));
        }
        Optional<Short> replicas = spec.replicas() == 0 ? Optional.empty() : Optional.of((short) spec.replicas());
        NewTopic topic = new NewTopic(spec.name(), Optional.of(spec.partitions()), replicas).configs(settings);
        try {
            admin.createTopics(List.of(topic)).all().get(KafkaCalls.BOUND_SECONDS + 2, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // Another client was faster, or this one's first try was heard after all: whether it fits is looked at
            // next. And there are servers that make the topic and answer what Kafka's client cannot read.
            boolean answered = e.getCause() instanceof ApiException;
            if (answered ? !(e.getCause() instanceof TopicExistsException) : partitions(spec.name()) == 0) {
                throw KafkaCalls.failure(e.getCause(), options.address(), "make topic '" + spec.name() + "'");
            }
        } catch (TimeoutException e) {
            throw KafkaCalls.silent(options.address(), "make topic '" + spec.name() + "'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while topic '" + spec.name() + "' was made", e);
        }
        awaitThat(() -> partitions(spec.name()) > 0, "show the new topic '" + spec.name() + "'");
    }

    /** That a partition has a leader is known before the leader itself knows it; then it answers for the partition. */
    private void awaitLeaders(String topic, int partitions) {
        awaitThat(() -> hasLeaders(topic, partitions), "lead topic '" + topic + "'");
        offsets(topic, OffsetSpec.latest());
    }

    private boolean hasLeaders(String topic, int partitions) {
        TopicDescription description = describe(topic);
        if (description == null || description.partitions().size() != partitions) {
            return false;
        }
        for (TopicPartitionInfo partition : description.partitions()) {
            if (partition.leader() == null) {
                return false;
            }
        }
        return true;
    }

    private TopicDescription describe(String topic) {
        try {
            return admin.describeTopics(List.of(topic))
                    .topicNameValues()
                    .get(topic)
                    .get(KafkaCalls.BOUND_SECONDS + 2, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return null;
            }
            throw KafkaCalls.failure(e.getCause(), options.address(), "describe topic '" + topic + "'");
        } catch (TimeoutException e) {
            throw KafkaCalls.silent(options.address(), "describe topic '" + topic + "'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while topic '" + topic + "' was described", e);
        }
    }

    private void awaitThat(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw KafkaCalls.silent(options.address(), what, null);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    @Override
    public void deleteTopic(String topic) {
        if (partitions(topic) == 0) {
            return;
        }
        try {
            admin.deleteTopics(List.of(topic)).all().get(KafkaCalls.BOUND_SECONDS + 2, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw KafkaCalls.failure(e.getCause(), options.address(), "delete topic '" + topic + "'");
            }
        } catch (TimeoutException e) {
            throw KafkaCalls.silent(options.address(), "delete topic '" + topic + "'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while topic '" + topic + "' was deleted", e);
        }
        awaitThat(() -> partitions(topic) == 0, "delete topic '" + topic + "'");
    }

    @Override
    public void addPartitions(String topic, int partitions) {
        int there = existing(topic);
        if (partitions < there) {
            throw new UserException("topic '" + topic + "' has " + there + " partitions; Kafka cannot take any away");
        }
        if (partitions > there) {
            await(
                    admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                            .all(),
                    "add partitions to topic '" + topic + "'");
        }
        awaitLeaders(topic, partitions);
    }

    @Override
    public int partitions(String topic) {
        TopicDescription description = describe(topic);
        return description == null ? 0 : description.partitions().size();
    }

    private int existing(String topic) {
        int partitions = partitions(topic);
        if (partitions == 0) {
            throw new UserException("there is no topic '" + topic + "' at " + options.address());
        }
        return partitions;
    }

    @Override
    public Publisher publisher(String topic, String name) {
        int partitions = existing(topic);
        long largest = Long.parseLong(KafkaSettingsReader.topicSettings(admin, options.address(), topic)
                .getOrDefault(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "1048588"));
        return KafkaPublisher.open(options, topic, name, partitions, largest);
    }

    @Override
    public Subscriber subscriber(String topic, StartFrom startFrom) {
        return new KafkaSubscriber(options, topic, existing(topic), startFrom);
    }

    @Override
    public GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom) {
        int partitions = existing(topic);
        Map<Integer, Position> from = startFrom instanceof StartFrom.Latest
                ? endPositions(topic)
                : startFrom instanceof StartFrom.At at ? at.positions() : Map.of();
        return KafkaGroupReader.open(options, topic, readerGroup, partitions, from);
    }

    @Override
    public Map<Integer, Position> endPositions(String topic) {
        Map<Integer, Position> ends = new TreeMap<>();
        offsets(topic, OffsetSpec.latest())
                .forEach((partition, offset) -> ends.put(partition, new Position(0, offset)));
        return ends;
    }

    private Map<Integer, Long> offsets(String topic, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0, count = existing(topic); partition < count; partition++) {
            wanted.put(new TopicPartition(topic, partition), spec);
        }
        Map<Integer, Long> offsets = new TreeMap<>();
        await(admin.listOffsets(wanted).all(), "tell the offsets of topic '" + topic + "'")
                .forEach((partition, info) -> offsets.put(partition.partition(), info.offset()));
        return offsets;
    }

    @Override
    public long lag(String topic, String readerGroup) {
        Map<Integer, Long> first = offsets(topic, OffsetSpec.earliest());
        Map<Integer, Long> end = offsets(topic, OffsetSpec.latest());
        Map<TopicPartition, OffsetAndMetadata> confirmed = confirmed(readerGroup);
        long lag = 0;
        for (Map.Entry<Integer, Long> partition : end.entrySet()) {
            OffsetAndMetadata offset = confirmed.get(new TopicPartition(topic, partition.getKey()));
            long begin = first.get(partition.getKey());
            // The group may commit what came after the end that was told.
            lag += Math.max(0, partition.getValue() - Math.max(begin, offset == null ? begin : offset.offset()));
        }
        return lag;
    }

    private Map<TopicPartition, OffsetAndMetadata> confirmed(String readerGroup) {
        try {
            return await(
                    admin.listConsumerGroupOffsets(readerGroup).partitionsToOffsetAndMetadata(),
                    "tell what group '" + readerGroup + "' has confirmed");
        } catch (EnvironmentException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Map.of();
            }
            throw e;
        }
    }

    @Override
    public void deleteReaderGroup(String topic, String readerGroup) {
        try {
            await(admin.deleteConsumerGroups(List.of(readerGroup)).all(), "remove reader group '" + readerGroup + "'");
        } catch (EnvironmentException e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                throw e;
            }
        }
    }

    @Override
    public EffectiveSettings effectiveSettings(String topic) {
        TopicDescription description = describe(topic);
        if (description == null) {
            throw new UserException("there is no topic '" + topic + "' at " + options.address());
        }
        return KafkaSettingsReader.read(admin, options.address(), description);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
