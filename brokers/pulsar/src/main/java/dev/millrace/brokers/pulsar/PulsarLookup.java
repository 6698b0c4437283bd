package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.PartitionLookup;
import dev.millrace.core.reading.Position;
import java.util.Map;
import java.util.TreeMap;

/** Asks the administration for a topic's partitions. */
final class PulsarLookup implements PartitionLookup {
    private final PulsarTopics topics;
    private final String topic;

    PulsarLookup(PulsarOptions options, String topic) {
        this.topics = new PulsarTopics(options, new PulsarAdmin(options));
        this.topic = topic;
    }

    @Override
    public Map<Integer, Position> ends(int from) {
        Map<Integer, Position> ends = new TreeMap<>();
        for (int partition = from, count = topics.existing(topic); partition < count; partition++) {
            ends.put(partition, topics.end(topic, partition));
        }
        return ends;
    }

    @Override
    public void close() {
        // Nothing is held between two questions.
    }
}
