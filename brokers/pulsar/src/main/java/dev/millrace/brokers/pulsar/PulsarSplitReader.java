package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.ChunkBatch;
import dev.millrace.connectors.api.reader.EndConfirmations;
import dev.millrace.connectors.api.reader.PartitionSplit;
import dev.millrace.core.reading.PayloadChunk;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;

/** Takes what the consumers of one subtask have received. Everything but {@link #wakeUp} runs on the fetch thread. */
final class PulsarSplitReader implements SplitReader<PayloadChunk, PartitionSplit> {
    private static final Duration FETCH_BOUND = Duration.ofMillis(100);

    private final ReaderGroup group;
    private final GroupCursor cursor;
    private final PendingWatch pending;
    private final int mostMessages;
    private final EndConfirmations confirmations = new EndConfirmations();
    private final Map<String, PartitionReader> readers = new TreeMap<>();
    private final Set<String> paused = new HashSet<>();
    private final Set<String> endedAtOnce = new HashSet<>();
    private final Bell bell = new Bell();

    /** @param mostMessages how many messages of a partition may be on their way or waiting here */
    PulsarSplitReader(ReaderGroup group, GroupCursor cursor, PendingWatch pending, int mostMessages) {
        this.group = group;
        this.cursor = cursor;
        this.pending = pending;
        this.mostMessages = mostMessages;
    }

    @Override
    public void handleSplitsChanges(SplitsChange<PartitionSplit> change) {
        if (!(change instanceof SplitsAddition<PartitionSplit>)) {
            throw new UnsupportedOperationException("splits are only added: " + change);
        }
        for (PartitionSplit given : change.splits()) {
            PartitionSplit split = fromOldest(given);
            if (PulsarPositions.NOTHING.equals(split.stop())
                    || split.start() != null
                            && split.stop() != null
                            && split.start().compareTo(split.stop()) >= 0) {
                endedAtOnce.add(split.splitId());
                continue;
            }
            PartitionInbox inbox = new PartitionInbox(split, mostMessages, EntryArrays.POOL, bell::ring);
            PartitionReader reader = new PartitionReader(split, group, cursor, confirmations, inbox);
            readers.put(split.splitId(), reader);
            pending.add(reader);
        }
    }

    /** Behind the end of an empty partition is its beginning. */
    private static PartitionSplit fromOldest(PartitionSplit split) {
        return PulsarPositions.NOTHING.equals(split.start())
                ? new PartitionSplit(split.topic(), split.partition(), null, split.stop())
                : split;
    }

    @Override
    public RecordsWithSplitIds<PayloadChunk> fetch() {
        ChunkBatch batch = new ChunkBatch();
        endedAtOnce.forEach(batch::finish);
        endedAtOnce.clear();
        poll(batch);
        if (batch.isEmpty() && bell.await(FETCH_BOUND)) {
            poll(batch);
        }
        return batch;
    }

    private void poll(ChunkBatch batch) {
        Iterator<PartitionReader> all = readers.values().iterator();
        while (all.hasNext()) {
            PartitionReader reader = all.next();
            String splitId = reader.split().splitId();
            if (paused.contains(splitId)) {
                continue;
            }
            PayloadChunk chunk = reader.poll();
            if (chunk != null) {
                batch.add(splitId, chunk);
                if (chunk.atEnd()) {
                    pending.atEnd(reader);
                }
            }
            if (reader.isFinished()) {
                batch.finish(splitId);
                all.remove();
                confirmations.forget(splitId);
                pending.remove(reader);
            }
        }
    }

    @Override
    public void pauseOrResumeSplits(Collection<PartitionSplit> toPause, Collection<PartitionSplit> toResume) {
        toPause.forEach(split -> paused.add(split.splitId()));
        toResume.forEach(split -> paused.remove(split.splitId()));
    }

    @Override
    public void wakeUp() {
        bell.ring();
    }

    @Override
    public void close() {
        readers.values().forEach(pending::remove);
    }

    /** Lets one thread wait for others. */
    private static final class Bell {
        private boolean rung;

        synchronized void ring() {
            rung = true;
            notifyAll();
        }

        /** Whether it was rung since the last time, or within the bound. */
        synchronized boolean await(Duration bound) {
            try {
                if (!rung) {
                    wait(bound.toMillis());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            boolean now = rung;
            rung = false;
            return now;
        }
    }
}
