package dev.millrace.perf.fanout;

import dev.millrace.connectors.api.broker.ReadProgress;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How far a topic is read, and whether that is as far as was asked for. Used by the reading thread, but for {@link #until}. */
final class TopicRead {
    private final Map<Integer, Position> first = new HashMap<>();
    private final Map<Integer, Position> last = new HashMap<>();
    private final Map<Integer, Position> unread = new HashMap<>();
    private @Nullable ReadProgress progress;
    private volatile @Nullable Map<Integer, Position> ends;

    /** @param from where reading begins; partitions that are not named begin at their oldest record */
    TopicRead(Map<Integer, Position> from) {
        from.forEach(
                (partition, position) -> unread.put(partition, new Position(position.major(), position.minor() - 1)));
    }

    void add(List<PayloadChunk> chunks) {
        if (progress == null && ends != null) {
            Map<Integer, Position> behind = new HashMap<>(unread);
            behind.putAll(last);
            progress = new ReadProgress(ends, behind);
        }
        for (PayloadChunk chunk : chunks) {
            if (chunk.count() > 0) {
                first.putIfAbsent(chunk.partition(), chunk.firstPosition());
                last.put(chunk.partition(), chunk.lastPosition());
            }
            if (progress != null) {
                progress.read(chunk);
            }
        }
    }

    /** Asks to read up to these ends, which may have been passed already. Thread-safe. */
    void until(Map<Integer, Position> positions) {
        ends = Map.copyOf(positions);
    }

    /** Whether ends were asked for, and all before them is read. */
    boolean isAtEnd() {
        return progress != null && progress.isAtEnd();
    }

    /** The first record of each partition that gave one. */
    Map<Integer, Position> first() {
        return first;
    }

    /** The last record of each partition that gave one; a copy. */
    Map<Integer, Position> last() {
        return Map.copyOf(last);
    }
}
