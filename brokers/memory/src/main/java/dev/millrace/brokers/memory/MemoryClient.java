package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.connectors.api.reader.SplitGroupReader;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The connection from outside Flink. Thread-safe. */
final class MemoryClient implements BrokerClient {
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(10);

    private final MemoryOptions options;
    private final Control control;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

    MemoryClient(MemoryOptions options) {
        this.options = options;
        this.control = new Control(options.address());
        try {
            control.ask(Wire.PING, frame -> {}, FrameReader::text, CONNECT_BOUND);
        } catch (RuntimeException e) {
            control.close();
            throw e;
        }
    }

    @Override
    public void createTopic(TopicSpec spec) {
        control.ask(
                Wire.CREATE,
                frame -> frame.text(spec.name())
                        .number(spec.partitions())
                        .number(spec.replicas())
                        .number(spec.retentionBytes())
                        .number(spec.retention().toMillis()),
                answer -> answer);
    }

    @Override
    public void deleteTopic(String topic) {
        control.ask(Wire.DELETE, frame -> frame.text(topic), answer -> answer);
    }

    @Override
    public void addPartitions(String topic, int partitions) {
        control.ask(Wire.ADD_PARTITIONS, frame -> frame.text(topic).number(partitions), answer -> answer);
    }

    @Override
    public int partitions(String topic) {
        return control.describe(topic).partitions();
    }

    @Override
    public Publisher publisher(String topic, String name) {
        int partitions = control.existing(topic).partitions();
        MemoryPublisher publisher = new MemoryPublisher(options, topic, name, partitions, open::remove);
        open.add(publisher);
        return publisher;
    }

    @Override
    public Subscriber subscriber(String topic, StartFrom startFrom) {
        TopicDescription description = control.existing(topic);
        MemorySubscriber subscriber = new MemorySubscriber(
                options.address(), topic, description.partitions(), positions(description, startFrom), open::remove);
        open.add(subscriber);
        return subscriber;
    }

    /** Partitions that are not named begin at their oldest record. */
    private static Map<Integer, Position> positions(TopicDescription description, StartFrom startFrom) {
        Map<Integer, Position> positions = new HashMap<>();
        if (startFrom instanceof StartFrom.At at) {
            positions.putAll(at.positions());
        } else if (startFrom instanceof StartFrom.Latest) {
            for (int i = 0; i < description.partitions(); i++) {
                positions.put(i, description.end(i));
            }
        }
        return positions;
    }

    @Override
    public GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom) {
        TopicDescription description = control.existing(topic);
        Map<Integer, Position> from = positions(description, startFrom);
        Map<Integer, PartitionSplit> splits = new TreeMap<>();
        for (int i = 0; i < description.partitions(); i++) {
            splits.put(i, new PartitionSplit(topic, i, from.get(i), null));
        }
        return new SplitGroupReader<>(
                "topic '" + topic + "' of reader group '" + readerGroup + "'",
                new MemorySplitReader(options.address(), topic, OffsetLag.unseen()),
                splits,
                new MemoryCommitter(options.address(), topic, readerGroup));
    }

    @Override
    public Map<Integer, Position> endPositions(String topic) {
        TopicDescription description = control.existing(topic);
        Map<Integer, Position> ends = new TreeMap<>();
        for (int i = 0; i < description.partitions(); i++) {
            ends.put(i, description.end(i));
        }
        return ends;
    }

    @Override
    public long lag(String topic, String readerGroup) {
        return control.ask(Wire.LAG, frame -> frame.text(topic).text(readerGroup), answer -> answer.getLong());
    }

    @Override
    public void deleteReaderGroup(String topic, String readerGroup) {
        control.ask(Wire.FORGET, frame -> frame.text(topic).text(readerGroup), answer -> answer);
    }

    @Override
    public EffectiveSettings effectiveSettings(String topic) {
        TopicDescription description = control.existing(topic);
        return control.ask(Wire.PING, frame -> {}, answer -> {
            String version = FrameReader.text(answer);
            long budget = answer.getLong();
            return new EffectiveSettings(
                    version,
                    1,
                    "in the server's memory",
                    EffectiveSettings.Sync.LATER,
                    "never",
                    Map.of(
                            "partitions", Integer.toString(description.partitions()),
                            "retention.bytes", Long.toString(description.retentionBytes()),
                            "retention.ms", Long.toString(description.retentionMillis()),
                            "budget.bytes", Long.toString(budget)));
        });
    }

    @Override
    public void close() {
        for (AutoCloseable one : Set.copyOf(open)) {
            if (one instanceof MemoryPublisher publisher) {
                publisher.close();
            } else if (one instanceof MemorySubscriber subscriber) {
                subscriber.close();
            }
        }
        control.close();
    }
}
