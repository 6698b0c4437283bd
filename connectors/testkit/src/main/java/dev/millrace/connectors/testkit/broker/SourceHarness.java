package dev.millrace.connectors.testkit.broker;

import dev.millrace.core.reading.PayloadChunk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * One source with its enumerator and one reader, driven by the test's thread as Flink's task would, so that a checkpoint falls
 * exactly where the test wants it. Used by one thread.
 */
public final class SourceHarness<S extends SourceSplit, C> implements AutoCloseable {
    private final Source<PayloadChunk, S, C> source;
    private final Duration bound;
    private final Subtask subtask;
    private final EnumeratorHost<S> enumeratorHost;
    private final ReaderHost readerHost;
    private final SplitEnumerator<S, C> enumerator;
    private final SourceReader<PayloadChunk, S> reader;
    private final Consumer<PayloadChunk> chunks;
    private final List<PayloadChunk> emitted = new ArrayList<>();
    private final Collector collector = new Collector();
    private boolean ended;
    private long checkpoints;
    private long recordCount;
    private int chunkCount;

    /** @param chunks gets every chunk; null keeps them all in {@link #emitted} */
    private SourceHarness(
            Source<PayloadChunk, S, C> source,
            Snapshot snapshot,
            Duration bound,
            Subtask subtask,
            Consumer<PayloadChunk> chunks)
            throws Exception {
        this.source = source;
        this.bound = bound;
        this.subtask = subtask;
        this.chunks = chunks == null ? chunk -> emitted.add(chunk.copy()) : chunks;
        this.enumeratorHost = new EnumeratorHost<>(subtask);
        this.readerHost = new ReaderHost(subtask);
        SimpleVersionedSerializer<S> splits = source.getSplitSerializer();
        reader = source.createReader(readerHost);
        reader.start();
        if (snapshot == null) {
            enumerator = source.createEnumerator(enumeratorHost);
        } else {
            C state = source.getEnumeratorCheckpointSerializer()
                    .deserialize(snapshot.enumeratorVersion, snapshot.enumerator);
            enumerator = source.restoreEnumerator(enumeratorHost, state);
            List<S> restored = new ArrayList<>();
            for (byte[] split : snapshot.splits) {
                restored.add(splits.deserialize(snapshot.splitVersion, split));
            }
            if (!restored.isEmpty()) {
                reader.addSplits(restored);
            }
        }
        enumerator.start();
        enumerator.addReader(subtask.index);
    }

    /** A start from a checkpoint; null is a fresh one. */
    static SourceHarness<?, ?> open(Source<PayloadChunk, ?, ?> source, Snapshot snapshot, Duration bound) {
        try {
            return create(source, snapshot, bound, new Subtask(0, 1), null);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static <S extends SourceSplit, C> SourceHarness<S, C> create(
            Source<PayloadChunk, S, C> source,
            Snapshot snapshot,
            Duration bound,
            Subtask subtask,
            Consumer<PayloadChunk> chunks)
            throws Exception {
        return new SourceHarness<>(source, snapshot, bound, subtask, chunks);
    }

    /**
     * Reads a bounded source to its end on the calling thread, as one of several subtasks.
     *
     * @param chunks gets every chunk of that subtask's splits, in order
     */
    public static void drain(
            Source<PayloadChunk, ?, ?> source, int subtask, int parallelism, Consumer<PayloadChunk> chunks)
            throws Exception {
        try (SourceHarness<?, ?> harness =
                create(source, null, Duration.ZERO, new Subtask(subtask, parallelism), chunks)) {
            while (!harness.ended) {
                harness.step();
            }
        }
    }

    /** Which of how many subtasks the reader is. */
    record Subtask(int index, int parallelism) {}

    /** All chunks emitted so far, in order. */
    List<PayloadChunk> emitted() {
        return List.copyOf(emitted);
    }

    List<Stored> records() {
        return Stored.of(emitted);
    }

    int recordCount() {
        return Math.toIntExact(recordCount);
    }

    boolean ended() {
        return ended;
    }

    long readingsCounted() {
        return readerHost.metrics().readings();
    }

    /** The gauge of records that are still to be read; -1 when the reader did not register it. */
    long pendingRecords() {
        return readerHost.metrics().pendingRecords();
    }

    /** The gauge of splits that are in {@link #pendingRecords}; -1 when the reader did not register it. */
    int splitsCounted() {
        return readerHost.metrics().splitsCounted();
    }

    /** Does one step; whether it emitted a chunk. */
    boolean step() {
        try {
            enumeratorHost.pump();
            for (S split : enumeratorHost.takeAssigned()) {
                reader.addSplits(List.of(split));
            }
            if (enumeratorHost.takeNoMoreSplits()) {
                reader.notifyNoMoreSplits();
            }
            readerHost.takeEvents().forEach(event -> enumerator.handleSourceEvent(subtask.index, event));
            int chunksBefore = chunkCount;
            InputStatus status = ended ? InputStatus.END_OF_INPUT : reader.pollNext(collector);
            ended |= status == InputStatus.END_OF_INPUT;
            if (status == InputStatus.NOTHING_AVAILABLE) {
                reader.isAvailable().get(10, TimeUnit.MILLISECONDS);
            }
            return chunkCount > chunksBefore;
        } catch (TimeoutException e) {
            return false;
        } catch (RuntimeException e) {
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Steps until {@code condition} holds for this harness; fails with {@code what} after the bound. */
    void until(String what, Predicate<SourceHarness<S, C>> condition) {
        until(what, condition, bound);
    }

    private void until(String what, Predicate<SourceHarness<S, C>> condition, Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.test(this)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("within " + bound + " it did not happen that " + what + "; read were "
                        + recordCount + " records in " + emitted.size() + " chunks");
            }
            step();
        }
    }

    /** Steps for the whole of {@code duration}: for what must NOT happen. */
    void run(Duration duration) {
        long deadline = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < deadline) {
            step();
        }
    }

    /** Steps until that many records were emitted. */
    void untilRecords(int count) {
        untilRecords(count, bound);
    }

    /** As {@link #untilRecords(int)}, with a bound of its own. */
    void untilRecords(int count, Duration bound) {
        until(count + " records were read", harness -> harness.recordCount >= count, bound);
    }

    /** Steps until {@code count} records were emitted or none has come for {@code quiet}. */
    void upToRecords(int count, Duration quiet) {
        long deadline = System.nanoTime() + quiet.toNanos();
        while (recordCount < count && System.nanoTime() < deadline) {
            long before = recordCount;
            step();
            if (recordCount > before) {
                deadline = System.nanoTime() + quiet.toNanos();
            }
        }
    }

    /** Steps until the source has ended. */
    void untilEnded() {
        until("the source ended", SourceHarness::ended);
    }

    /** Takes a checkpoint as Flink does: bytes of everything. */
    Snapshot checkpoint() {
        try {
            for (S split : enumeratorHost.takeAssigned()) {
                reader.addSplits(List.of(split));
            }
            checkpoints++;
            SimpleVersionedSerializer<S> splitSerializer = source.getSplitSerializer();
            SimpleVersionedSerializer<C> stateSerializer = source.getEnumeratorCheckpointSerializer();
            List<byte[]> splits = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (S split : reader.snapshotState(checkpoints)) {
                splits.add(splitSerializer.serialize(split));
                ids.add(split.splitId());
            }
            byte[] state = stateSerializer.serialize(enumerator.snapshotState(checkpoints));
            return new Snapshot(
                    checkpoints,
                    stateSerializer.getVersion(),
                    state,
                    splitSerializer.getVersion(),
                    splits,
                    ids.stream().sorted().toList());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Tells enumerator and reader that the checkpoint is complete. */
    void complete(Snapshot snapshot) {
        try {
            enumerator.notifyCheckpointComplete(snapshot.id);
            reader.notifyCheckpointComplete(snapshot.id);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void pauseOrResume(List<String> pause, List<String> resume) {
        reader.pauseOrResumeSplits(pause, resume);
    }

    @Override
    public void close() {
        try (enumeratorHost) {
            reader.close();
            enumerator.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A checkpoint: what Flink would keep of the source. */
    record Snapshot(
            long id,
            int enumeratorVersion,
            byte[] enumerator,
            int splitVersion,
            List<byte[]> splits,
            List<String> splitIds) {}

    private final class Collector implements ReaderOutput<PayloadChunk> {
        private final Map<String, SourceOutput<PayloadChunk>> ofSplits = new HashMap<>();

        @Override
        public void collect(PayloadChunk chunk) {
            chunks.accept(chunk);
            chunkCount++;
            recordCount += chunk.count();
        }

        @Override
        public void collect(PayloadChunk chunk, long timestamp) {
            collect(chunk);
        }

        @Override
        public void emitWatermark(Watermark watermark) {
            throw new AssertionError("watermarks are made by core, not by a plugin");
        }

        @Override
        public void markIdle() {
            throw new AssertionError("idleness is found by core, not by a plugin");
        }

        @Override
        public void markActive() {
            throw new AssertionError("idleness is found by core, not by a plugin");
        }

        @Override
        public SourceOutput<PayloadChunk> createOutputForSplit(String splitId) {
            return ofSplits.computeIfAbsent(splitId, id -> this);
        }

        @Override
        public void releaseOutputForSplit(String splitId) {
            ofSplits.remove(splitId);
        }
    }
}
