package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.EffectiveSettings;
import dev.millrace.connectors.api.broker.GroupReader;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.StartFrom;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.core.reading.Position;
import java.util.Map;

/** A client whose publishers are measured; all else is as it was. */
record MeasuredClient(BrokerClient client, PublishMeter meter) implements BrokerClient {
    @Override
    public Publisher publisher(String topic, String name) {
        return new MeasuredPublisher(client.publisher(topic, name), meter);
    }

    @Override
    public void createTopic(TopicSpec spec) {
        client.createTopic(spec);
    }

    @Override
    public void deleteTopic(String topic) {
        client.deleteTopic(topic);
    }

    @Override
    public void addPartitions(String topic, int partitions) {
        client.addPartitions(topic, partitions);
    }

    @Override
    public int partitions(String topic) {
        return client.partitions(topic);
    }

    @Override
    public Subscriber subscriber(String topic, StartFrom startFrom) {
        return client.subscriber(topic, startFrom);
    }

    @Override
    public GroupReader groupReader(String topic, String readerGroup, StartFrom startFrom) {
        return client.groupReader(topic, readerGroup, startFrom);
    }

    @Override
    public Map<Integer, Position> endPositions(String topic) {
        return client.endPositions(topic);
    }

    @Override
    public long lag(String topic, String readerGroup) {
        return client.lag(topic, readerGroup);
    }

    @Override
    public void deleteReaderGroup(String topic, String readerGroup) {
        client.deleteReaderGroup(topic, readerGroup);
    }

    @Override
    public EffectiveSettings effectiveSettings(String topic) {
        return client.effectiveSettings(topic);
    }

    @Override
    public void close() {
        client.close();
    }
}
