package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.UserException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.jspecify.annotations.Nullable;

/**
 * The reader of every plugin: one fetcher thread with the plugin's {@link SplitReader} hands whole chunks, or what they are made of, over a
 * queue of two batches. A split's state is the last position that was EMITTED, so a checkpointed position is always the end of a chunk. The
 * positions of a completed checkpoint go to the {@link PositionCommitter}. Flink's task thread is the only one here.
 *
 * @param <S> the plugin's split
 */
@SuppressWarnings("try") // Flink's close() throws Exception
public final class ChunkReader<S extends SourceSplit>
        extends SingleThreadMultiplexSourceReaderBase<PayloadChunk, PayloadChunk, S, ChunkReader.SplitState<S>> {
    private static final int BATCHES_IN_HAND = 2;

    private final String topic;
    private final Function<S, String> topicOf;
    private final Resume<S> resume;
    private final PositionCommitter committer;
    private final NavigableMap<Long, Map<String, Position>> positionsOfCheckpoints = new TreeMap<>();
    private final Map<String, SplitState<S>> running = new HashMap<>();
    private final Map<String, Position> finished = new HashMap<>();
    private @Nullable CommitThread commits;

    /**
     * @param topic whose splits alone are read
     * @param topicOf a split
     * @param splitReaders makes the plugin's split reader; it must honour {@link SplitReader#pauseOrResumeSplits}
     * @param pending what the split reader reports as still to be fetched
     */
    public ChunkReader(
            String topic,
            Function<S, String> topicOf,
            Supplier<SplitReader<PayloadChunk, S>> splitReaders,
            Resume<S> resume,
            PositionCommitter committer,
            PendingRecords pending,
            SourceReaderContext context) {
        super(splitReaders, new Emitter<>(context), boundedQueue(), context);
        this.topic = topic;
        this.topicOf = topicOf;
        this.resume = resume;
        this.committer = committer;
        context.metricGroup().setPendingRecordsGauge(pending::total);
        context.metricGroup().gauge("splitsCounted", (Gauge<Integer>) pending::splits);
        // From now on a partition holds the watermark back: who adds partitions waits for it before sending to them.
        context.metricGroup().gauge("splitsAssigned", (Gauge<Integer>) this::getNumberOfCurrentlyAssignedSplits);
    }

    private static Configuration boundedQueue() {
        Configuration configuration = new Configuration();
        configuration.set(SourceReaderOptions.ELEMENT_QUEUE_CAPACITY, BATCHES_IN_HAND);
        return configuration;
    }

    /** Throws UserException for those of another topic, which a checkpoint may have: positions there mean nothing here. */
    @Override
    public void addSplits(List<S> splits) {
        for (S split : splits) {
            String other = topicOf.apply(split);
            if (!other.equals(topic)) {
                throw new UserException(
                        "the job reads topic '" + topic + "', and the checkpoint that it goes on from is of topic '"
                                + other + "'; start it without that checkpoint, or on that topic");
            }
        }
        super.addSplits(splits);
    }

    @Override
    protected SplitState<S> initializedState(S split) {
        SplitState<S> state = new SplitState<>(split);
        running.put(split.splitId(), state);
        return state;
    }

    @Override
    protected S toSplitType(String splitId, SplitState<S> state) {
        return state.last == null ? state.split : resume.behind(state.split, state.last, state.lastIndex);
    }

    @Override
    protected void onSplitFinished(Map<String, SplitState<S>> states) {
        states.forEach((splitId, state) -> {
            running.remove(splitId);
            if (state.last != null) {
                finished.put(splitId, state.last);
            }
        });
    }

    @Override
    public List<S> snapshotState(long checkpointId) {
        List<S> splits = super.snapshotState(checkpointId);
        Map<String, Position> positions = new HashMap<>(finished);
        running.forEach((splitId, state) -> {
            if (state.last != null) {
                positions.put(splitId, state.last);
            }
        });
        positionsOfCheckpoints.put(checkpointId, positions);
        return splits;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        Map<String, Position> positions = positionsOfCheckpoints.get(checkpointId);
        positionsOfCheckpoints.headMap(checkpointId, true).clear();
        if (positions == null || positions.isEmpty()) {
            return;
        }
        if (commits == null) {
            commits = new CommitThread(committer, context.getIndexOfSubtask());
        }
        commits.commit(positions);
        finished.entrySet().removeIf(entry -> entry.getValue().equals(positions.get(entry.getKey())));
    }

    @Override
    public void close() throws Exception {
        try {
            super.close();
        } finally {
            if (commits == null) {
                committer.close();
            } else {
                commits.close();
            }
        }
    }

    /** What is left of a split. */
    public interface Resume<S> {
        /** @param lastIndex {@link PayloadChunk#lastIndex()} of the record at {@code last} */
        S behind(S split, Position last, long lastIndex);
    }

    /** How far one split has been emitted. */
    public static final class SplitState<S> {
        private final S split;
        private @Nullable Position last;
        private long lastIndex;

        private SplitState(S split) {
            this.split = split;
        }
    }

    private static final class Emitter<S> implements RecordEmitter<PayloadChunk, PayloadChunk, SplitState<S>> {
        private final Counter recordsIn;

        private Emitter(SourceReaderContext context) {
            this.recordsIn = context.metricGroup().getIOMetricGroup().getNumRecordsInCounter();
        }

        @Override
        public void emitRecord(PayloadChunk chunk, SourceOutput<PayloadChunk> output, SplitState<S> state) {
            // Flink has counted the chunk as one record; the figure means readings.
            recordsIn.inc(chunk.count() - 1L);
            output.collect(chunk);
            if (chunk.count() > 0) {
                state.last = chunk.lastPosition();
                state.lastIndex = chunk.lastIndex();
            }
        }
    }
}
