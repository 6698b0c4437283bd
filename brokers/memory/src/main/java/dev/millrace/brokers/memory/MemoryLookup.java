package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.reader.PartitionLookup;
import dev.millrace.core.reading.Position;
import java.util.Map;
import java.util.TreeMap;

/** Asks the server for a topic's partitions. */
final class MemoryLookup implements PartitionLookup {
    private final String topic;
    private final Control control;

    MemoryLookup(String address, String topic) {
        this.topic = topic;
        this.control = new Control(address);
    }

    @Override
    public Map<Integer, Position> ends(int from) {
        TopicDescription description = control.existing(topic);
        Map<Integer, Position> ends = new TreeMap<>();
        for (int partition = from; partition < description.partitions(); partition++) {
            ends.put(partition, description.end(partition));
        }
        return ends;
    }

    @Override
    public void close() {
        control.close();
    }
}
