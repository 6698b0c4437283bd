package dev.millrace.connectors.api.broker;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether a subscriber has come to where its topic ended when it began, although the topic may grow on: by the order of positions,
 * or as the client says. Not thread-safe.
 */
public final class ReadProgress {
    private static final Position BEFORE_ALL = new Position(0, -1);

    private final Map<Integer, Position> ends;
    private final Map<Integer, Position> last;
    private final Set<Integer> atEnd = new HashSet<>();

    /**
     * @param ends what {@link BrokerClient#endPositions} gave before reading began
     * @param from for each partition, a position before which nothing needs to be read; partitions may be missing
     */
    public ReadProgress(Map<Integer, Position> ends, Map<Integer, Position> from) {
        this.ends = Map.copyOf(ends);
        this.last = new HashMap<>(from);
        ends.keySet().forEach(partition -> last.putIfAbsent(partition, BEFORE_ALL));
    }

    /** Takes note of what was read. */
    public void read(PayloadChunk chunk) {
        if (chunk.count() > 0) {
            last.put(chunk.partition(), chunk.lastPosition());
        }
        if (chunk.atEnd()) {
            atEnd.add(chunk.partition());
        }
    }

    /** Whether no record can stand between what was read and the ends. */
    public boolean isAtEnd() {
        return ends.entrySet().stream().allMatch(end -> {
            Position read = last.get(end.getKey());
            Position next = new Position(read.major(), read.minor() + 1);
            return atEnd.contains(end.getKey()) || next.compareTo(end.getValue()) >= 0;
        });
    }
}
