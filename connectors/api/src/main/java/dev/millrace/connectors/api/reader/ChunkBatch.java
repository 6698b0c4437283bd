package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.jspecify.annotations.Nullable;

/** What one fetch gives: chunks in order, each of one split, and the splits that are finished with it. */
public final class ChunkBatch implements RecordsWithSplitIds<PayloadChunk> {
    private final List<String> splitIds = new ArrayList<>();
    private final List<PayloadChunk> chunks = new ArrayList<>();
    private final Set<String> finished = new HashSet<>();
    private int next;
    private boolean taken = true;

    /** Adds a chunk behind the others. */
    public ChunkBatch add(String splitId, PayloadChunk chunk) {
        splitIds.add(splitId);
        chunks.add(chunk);
        return this;
    }

    /** Says that nothing follows from this split, once the chunks of this batch are emitted. */
    public ChunkBatch finish(String splitId) {
        finished.add(splitId);
        return this;
    }

    public boolean isEmpty() {
        return chunks.isEmpty() && finished.isEmpty();
    }

    // One chunk is one "split run" here: Flink asks for the split, then for records until null.
    @Override
    public @Nullable String nextSplit() {
        if (next >= chunks.size()) {
            return null;
        }
        taken = false;
        return splitIds.get(next++);
    }

    @Override
    public @Nullable PayloadChunk nextRecordFromSplit() {
        if (taken) {
            return null;
        }
        taken = true;
        return chunks.get(next - 1);
    }

    @Override
    public Set<String> finishedSplits() {
        return finished;
    }

    /** Flink calls it when the task asks for more: by then every chunk has gone through the whole chain. */
    @Override
    public void recycle() {
        chunks.forEach(PayloadChunk::recycle);
    }
}
