package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.Subscriber;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads all partitions that the topic had when it was opened. */
final class MemorySubscriber implements Subscriber {
    private final Fetcher fetcher;
    private final List<Fetcher.Cursor> cursors = new ArrayList<>();
    private final Consumer<MemorySubscriber> onClose;

    /** @param positions where to begin; partitions that are not named begin at their oldest record */
    MemorySubscriber(
            String address,
            String topic,
            int partitions,
            Map<Integer, Position> positions,
            Consumer<MemorySubscriber> onClose) {
        this.fetcher = new Fetcher(address, topic, new ChunkPool());
        this.onClose = onClose;
        for (int i = 0; i < partitions; i++) {
            Position position = positions.get(i);
            cursors.add(
                    position == null
                            ? new Fetcher.Cursor(i, 0, Wire.OLDEST, Long.MAX_VALUE)
                            : new Fetcher.Cursor(i, position.major(), position.minor(), Long.MAX_VALUE));
        }
    }

    @Override
    public List<PayloadChunk> poll(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<PayloadChunk> chunks = new ArrayList<>();
        do {
            for (Fetcher.Fetched fetched : fetcher.fetch(cursors)) {
                int partition = fetched.chunk().partition();
                if (fetched.chunk().count() > 0) {
                    chunks.add(fetched.chunk());
                }
                cursors.set(
                        partition,
                        new Fetcher.Cursor(partition, fetched.incarnation(), fetched.nextOffset(), Long.MAX_VALUE));
            }
        } while (chunks.isEmpty() && System.nanoTime() < deadline);
        return chunks;
    }

    @Override
    public void close() {
        fetcher.close();
        onClose.accept(this);
    }
}
