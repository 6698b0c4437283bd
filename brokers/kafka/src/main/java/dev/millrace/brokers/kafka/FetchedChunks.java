package dev.millrace.brokers.kafka;

import dev.millrace.core.reading.PayloadChunk;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.jspecify.annotations.Nullable;

/** What one fetch brought: at most one chunk of each split, and the splits that ended with it. */
final class FetchedChunks implements RecordsWithSplitIds<PayloadChunk> {
    private final Deque<Entry> chunks = new ArrayDeque<>();
    private final Set<String> finishedSplits;
    private @Nullable PayloadChunk current;

    private record Entry(String split, PayloadChunk chunk) {}

    FetchedChunks(Set<String> finishedSplits) {
        this.finishedSplits = finishedSplits;
    }

    void add(String split, PayloadChunk chunk) {
        chunks.add(new Entry(split, chunk));
    }

    @Override
    public @Nullable String nextSplit() {
        Entry entry = chunks.poll();
        current = entry == null ? null : entry.chunk();
        return entry == null ? null : entry.split();
    }

    @Override
    public @Nullable PayloadChunk nextRecordFromSplit() {
        PayloadChunk chunk = current;
        current = null;
        return chunk;
    }

    @Override
    public Set<String> finishedSplits() {
        return finishedSplits;
    }
}
