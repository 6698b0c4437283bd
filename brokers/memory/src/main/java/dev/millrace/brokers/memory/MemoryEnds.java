package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.core.reading.Position;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Where the partitions of a topic end. */
final class MemoryEnds implements OffsetLag.Ends {
    private final String topic;
    private final MemoryLookup lookup;

    MemoryEnds(String address, String topic) {
        this.topic = topic;
        this.lookup = new MemoryLookup(address, topic);
    }

    @Override
    public Map<String, Long> of(Set<String> splitIds) {
        Map<String, Long> ends = new HashMap<>();
        for (Map.Entry<Integer, Position> end : lookup.ends(0).entrySet()) {
            String splitId = new PartitionSplit(topic, end.getKey(), null, null).splitId();
            if (splitIds.contains(splitId)) {
                ends.put(splitId, end.getValue().minor());
            }
        }
        return ends;
    }

    @Override
    public void close() {
        lookup.close();
    }
}
