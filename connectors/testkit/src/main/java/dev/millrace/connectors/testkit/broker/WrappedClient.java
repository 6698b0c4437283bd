package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import java.util.Map;

/** A client that does what another does; as thread-safe as that one. */
public class WrappedClient implements BrokerClient {
    private final BrokerClient working;

    protected WrappedClient(BrokerClient working) {
        this.working = working;
    }

    @Override
    public void createTopic(TopicSpec spec) {
        working.createTopic(spec);
    }

    @Override
    public void deleteTopic(String topic) {
        working.deleteTopic(topic);
    }

    @Override
    public void addPartitions(String topic, int partitions) {
        working.addPartitions(topic, partitions);
    }

    @Override
    public int partitions(String topic) {
        return working.partitions(topic);
    }

    @Override
    public Publisher publisher(String topic, String name) {
        return working.publisher(topic, name);
    }

    @Override
    public Subscriber subscriber(String topic, StartFrom startFrom) {
        return working.subscriber(topic, startFrom);
    }

    @Override
    public GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom) {
        return working.groupReader(topic, readerGroup, startFrom);
    }

    @Override
    public Map<Integer, Position> endPositions(String topic) {
        return working.endPositions(topic);
    }

    @Override
    public long lag(String topic, String readerGroup) {
        return working.lag(topic, readerGroup);
    }

    @Override
    public void deleteReaderGroup(String topic, String readerGroup) {
        working.deleteReaderGroup(topic, readerGroup);
    }

    @Override
    public EffectiveSettings effectiveSettings(String topic) {
        return working.effectiveSettings(topic);
    }

    @Override
    public void close() {
        working.close();
    }
}
