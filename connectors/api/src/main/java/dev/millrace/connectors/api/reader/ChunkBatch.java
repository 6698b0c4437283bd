package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.jspecify.annotations.Nullable;

/**
 * What one fetch gives: chunks in order, each of one split, and the splits that are finished with it. The fetch thread fills it and hands
 * it over; from then on it is the task's.
 */
public final class ChunkBatch implements RecordsWithSplitIds<PayloadChunk> {
    private final List<String> splitIds = new ArrayList<>();
    private final List<Iterator<PayloadChunk>> runs = new ArrayList<>();
    private final Set<String> finished = new HashSet<>();
    private int next;
    private Iterator<PayloadChunk> run = Collections.emptyIterator();
    private final List<PayloadChunk> inHand = new ArrayList<>();

    /** Adds a chunk behind the others. */
    public ChunkBatch add(String splitId, PayloadChunk chunk) {
        return add(splitId, List.of(chunk).iterator());
    }

    /**
     * Adds chunks behind the others.
     *
     * @param chunks asked for one after the other, each when the one before is read, and all of them on the task's thread: what is made
     *     there is still in that core's cache when it is decoded
     */
    public ChunkBatch add(String splitId, Iterator<PayloadChunk> chunks) {
        splitIds.add(splitId);
        runs.add(chunks);
        return this;
    }

    /** Says that nothing follows from this split, once the chunks of this batch are emitted. */
    public ChunkBatch finish(String splitId) {
        finished.add(splitId);
        return this;
    }

    public boolean isEmpty() {
        return runs.isEmpty() && finished.isEmpty();
    }

    @Override
    public @Nullable String nextSplit() {
        if (next >= runs.size()) {
            return null;
        }
        run = runs.get(next);
        return splitIds.get(next++);
    }

    @Override
    public @Nullable PayloadChunk nextRecordFromSplit() {
        recycle();
        return take();
    }

    private @Nullable PayloadChunk take() {
        if (!run.hasNext()) {
            return null;
        }
        PayloadChunk chunk = run.next();
        inHand.add(chunk);
        return chunk;
    }

    /** All that are left, at once: they are in hand together, until {@link #recycle}. */
    List<PayloadChunk> takeAll() {
        while (take() != null || nextSplit() != null) {
            // A run that is through is followed by the next.
        }
        return List.copyOf(inHand);
    }

    @Override
    public Set<String> finishedSplits() {
        return finished;
    }

    /** What is in hand has gone through the whole chain: Flink asks for another chunk, or has no use for this batch any more. */
    @Override
    public void recycle() {
        inHand.forEach(PayloadChunk::recycle);
        inHand.clear();
    }
}
