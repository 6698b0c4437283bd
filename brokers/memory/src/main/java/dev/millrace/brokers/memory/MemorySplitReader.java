package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.reader.ChunkBatch;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.connectors.api.reader.EndConfirmations;
import dev.millrace.connectors.api.reader.OffsetLag;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.core.reading.PayloadChunk;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;

/** Fetches the splits of one reader; every call ends within about 150 ms. Used by the fetcher's thread. */
final class MemorySplitReader implements SplitReader<PayloadChunk, PartitionSplit> {
    private final ChunkPool pool = new ChunkPool();
    private final Fetcher fetcher;
    private final OffsetLag lag;
    private final EndConfirmations confirmations = new EndConfirmations();
    private final Map<Integer, PartitionSplit> splits = new TreeMap<>();
    private final Map<Integer, Fetcher.Cursor> cursors = new TreeMap<>();
    private final Set<Integer> paused = new HashSet<>();
    private final Set<String> endedAtOnce = new HashSet<>();

    /** @param lag is closed with this */
    MemorySplitReader(String address, String topic, OffsetLag lag) {
        this.fetcher = new Fetcher(address, topic, pool);
        this.lag = lag;
    }

    @Override
    public RecordsWithSplitIds<PayloadChunk> fetch() {
        ChunkBatch batch = new ChunkBatch();
        endedAtOnce.forEach(batch::finish);
        endedAtOnce.clear();
        if (!batch.isEmpty()) {
            return batch;
        }
        List<Fetcher.Cursor> wanted = new ArrayList<>();
        cursors.forEach((partition, cursor) -> {
            if (!paused.contains(partition)) {
                wanted.add(cursor);
            }
        });
        // With every split paused the request is empty: the server answers it when its wait is over.
        List<Fetcher.Fetched> answer = fetcher.fetch(wanted);
        if (answer.isEmpty()) {
            wanted.forEach(cursor ->
                    confirmations.unanswered(splits.get(cursor.partition()).splitId()));
        }
        for (Fetcher.Fetched fetched : answer) {
            take(fetched, batch);
        }
        return batch;
    }

    private void take(Fetcher.Fetched fetched, ChunkBatch batch) {
        PayloadChunk chunk = fetched.chunk();
        int partition = chunk.partition();
        Fetcher.Cursor cursor = cursors.get(partition);
        if (cursor != null) {
            confirmations.answered(splits.get(partition).splitId());
        }
        if (cursor == null || paused.contains(partition)) {
            // Paused since it was asked for: it will be asked for again.
            chunk.recycle();
            return;
        }
        String splitId = splits.get(partition).splitId();
        if (chunk.count() > 0) {
            batch.add(splitId, chunk);
            if (chunk.atEnd()) {
                confirmations.confirmed(splitId);
            }
        } else if (fetched.nextOffset() >= fetched.endOffset() && confirmations.due(splitId)) {
            batch.add(splitId, confirmations.confirmed(splitId, partition));
        }
        lag.tell(splitId, fetched.nextOffset(), fetched.endOffset(), cursor.stop());
        if (fetched.nextOffset() >= cursor.stop()) {
            batch.finish(splitId);
            remove(partition);
        } else {
            cursors.put(
                    partition,
                    new Fetcher.Cursor(partition, fetched.incarnation(), fetched.nextOffset(), cursor.stop()));
        }
    }

    private void remove(int partition) {
        String splitId = splits.remove(partition).splitId();
        cursors.remove(partition);
        paused.remove(partition);
        lag.finished(splitId);
        confirmations.forget(splitId);
    }

    @Override
    public void handleSplitsChanges(SplitsChange<PartitionSplit> change) {
        for (PartitionSplit split : change.splits()) {
            long stop = split.stop() == null ? Long.MAX_VALUE : split.stop().minor();
            long start = split.start() == null ? Wire.OLDEST : split.start().minor();
            if (stop == 0 || start >= stop) {
                endedAtOnce.add(split.splitId());
                continue;
            }
            long incarnation = split.start() == null ? 0 : split.start().major();
            splits.put(split.partition(), split);
            if (split.start() != null) {
                lag.begin(split.splitId(), start, stop);
            }
            cursors.put(split.partition(), new Fetcher.Cursor(split.partition(), incarnation, start, stop));
        }
    }

    @Override
    public void pauseOrResumeSplits(Collection<PartitionSplit> toPause, Collection<PartitionSplit> toResume) {
        toPause.forEach(split -> paused.add(split.partition()));
        toResume.forEach(split -> paused.remove(split.partition()));
    }

    @Override
    public void wakeUp() {
        // No call lasts long enough to be worth waking.
    }

    @Override
    public void close() {
        lag.close();
        fetcher.close();
    }
}
