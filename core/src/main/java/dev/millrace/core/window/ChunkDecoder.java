package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.reading.DecodedReadings;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.ReadingDecoder;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.WindowSettings;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.LongPrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.jspecify.annotations.Nullable;

/**
 * Chained to the source: decodes every payload, decides whether its reading is late, and gives it to what merges readings
 * before they leave ({@link ReadingMerge}). A reading is late when its slice is closed: the
 * slice's last millisecond is not after this subtask's watermark, or not after the one it had at the checkpoint that was
 * restored (watermarks are not in checkpoints).
 *
 * <p>A reading from further ahead than clocks go wrong goes to the dead letters, and no reading moves the watermark ahead of the
 * time at which the broker took it (adr 0002).
 *
 * <p>While a subtask is not idle, no window closes before its own watermark, so what is not late here is late nowhere. One
 * that has been idle may be behind the others: until the next restore its partials carry the reading's dead letter along, for
 * {@link SliceOperator} to use if need be. A restore begins anew: only what some subtask had closed by then may be closed.
 */
public final class ChunkDecoder<P> extends AbstractStreamOperator<P>
        implements OneInputStreamOperator<PayloadChunk, P> {
    /**
     * A subtask that has not read anything yet may still wait for its splits; were it idle meanwhile, the others would close
     * windows that its backlog belongs to.
     */
    private static final long FIRST_IDLE_AFTER_MILLIS = 10_000;

    private final WindowSettings window;
    /** Whether readings are held against the broker's timestamps; one that gives none (0 or less) cannot tell. */
    private final boolean guardsClock;

    private final long maxAheadMillis;
    private final @Nullable String writerSchema;
    private final boolean withEventType;
    private final ReadingMerge.Factory<P> factory;

    private transient long sliceMillis;
    private transient ReadingDecoder decoder;
    private transient ReadingBatch batch;
    private transient ReadingMerge merge;
    private transient Counter decoded;
    private transient Counter late;
    private transient Counter undecodable;
    private transient Counter future;

    /**
     * Of each subtask: its number, the parallelism, {@link #closedTo}, {@link #maybeClosedTo}, {@link #wasIdle} (1 or 0). Every
     * subtask gets all of them back.
     */
    private transient ListState<long[]> checkpointed;

    /** Slices that end by this + 1 are closed. */
    private transient long closedTo;

    private transient boolean readAny;
    private transient boolean idle;
    /** Since the start or the last restore; then others may have closed any slice. */
    private transient boolean wasIdle;
    /** Slices that end by this + 1 may have been closed by others before the last restore. */
    private transient long maybeClosedTo;

    /**
     * @param withEventType whether {@code factory}'s need the readings' event type
     * @throws UserException when payloads of the settings' writer schema cannot become readings: said where the job is built, not by a
     *     task that fails again and again
     */
    public ChunkDecoder(JobSettings settings, boolean withEventType, ReadingMerge.Factory<P> factory) {
        this.window = settings.window();
        this.guardsClock = !settings.maxAhead().isZero();
        this.maxAheadMillis = settings.maxAhead().toMillis();
        this.writerSchema = settings.writerSchema();
        this.withEventType = withEventType;
        this.factory = factory;
        setChainingStrategy(ChainingStrategy.ALWAYS);
        new ReadingDecoder(writerSchema, withEventType);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        closedTo = Long.MIN_VALUE;
        maybeClosedTo = Long.MIN_VALUE;
        checkpointed = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("closed", LongPrimitiveArraySerializer.INSTANCE));
        if (context.isRestored()) {
            restore(context.getOperatorStateStore());
        }
    }

    private void restore(OperatorStateStore store) throws Exception {
        int parallelism = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        boolean known = false;
        boolean neverBehind = false;
        for (long[] element : checkpointed.get()) {
            known = true;
            maybeClosedTo = Math.max(maybeClosedTo, Math.max(element[2], element[3]));
            // At the same parallelism every subtask gets back its own splits.
            if (element[0] == subtask && element[1] == parallelism) {
                closedTo = element[2];
                neverBehind = element[3] == Long.MIN_VALUE && element[4] == 0;
            }
        }
        if (neverBehind) {
            maybeClosedTo = Long.MIN_VALUE;
        } else if (!known) {
            restoreVersion1(store, parallelism);
        }
    }

    /** State of the first release: each subtask got its own element back, and nothing of the others. */
    private void restoreVersion1(OperatorStateStore store, int parallelism) throws Exception {
        ListState<long[]> old =
                store.getListState(new ListStateDescriptor<>("closed-to", LongPrimitiveArraySerializer.INSTANCE));
        maybeClosedTo = Long.MAX_VALUE;
        for (long[] element : old.get()) {
            if (element[2] == parallelism) {
                closedTo = element[0];
                maybeClosedTo = element[1] == 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
        }
        old.clear();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        int parallelism = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        checkpointed.update(List.of(new long[] {subtask, parallelism, closedTo, maybeClosedTo, wasIdle ? 1 : 0}));
    }

    @Override
    public void open() throws Exception {
        super.open();
        sliceMillis = window.sliceMillis();
        decoder = new ReadingDecoder(writerSchema, withEventType);
        batch = new ReadingBatch();
        StreamRecord<P> out = new StreamRecord<>(null);
        merge = factory.into(partial -> output.collect(out.replace(partial)));
        MetricGroup metrics = getMetricGroup();
        decoded = metrics.counter("readingsDecoded");
        late = metrics.counter("readingsLate");
        undecodable = metrics.counter("payloadsUndecodable");
        future = metrics.counter("readingsFuture");
    }

    @Override
    public void processElement(StreamRecord<PayloadChunk> element) {
        PayloadChunk chunk = element.getValue();
        long maxEventTime = Long.MIN_VALUE;
        // Of the reading before: most are of the same slice, and a division takes longer than all else here.
        long sliceEnd = Long.MIN_VALUE + sliceMillis;
        int count = chunk.count();
        DecodedReadings run = batch.decoded();
        for (int first = 0; first < count; ) {
            int next = first + decoder.decode(chunk, first, run);
            for (int i = first; i < next; i++) {
                if (run.isUndecodable(i - first)) {
                    undecodable.inc();
                    letter(chunk, i, DeadLetter.Reason.UNDECODABLE, chunk.brokerTimestamp(i));
                    continue;
                }
                DecodedReading reading = run.get(i - first);
                long eventTime = reading.eventTime();
                long brokerTimestamp = chunk.brokerTimestamp(i);
                boolean isAhead = guardsClock && brokerTimestamp > 0 && eventTime > brokerTimestamp;
                if (isAhead && eventTime - brokerTimestamp > maxAheadMillis) {
                    // It must not move the watermark: all that comes behind it would be late.
                    future.inc();
                    letter(chunk, i, DeadLetter.Reason.FUTURE, brokerTimestamp);
                    continue;
                }
                // Event time cannot have come farther than the clock: were a device's clock to say so, honest readings
                // of the
                // partition would be late, and alignment would have it wait for the others.
                maxEventTime = Math.max(maxEventTime, isAhead ? brokerTimestamp : eventTime);
                if (eventTime < sliceEnd - sliceMillis || eventTime >= sliceEnd) {
                    sliceEnd = Math.floorDiv(eventTime, sliceMillis) * sliceMillis + sliceMillis;
                }
                if (sliceEnd - 1 <= closedTo) {
                    late.inc();
                    letter(chunk, i, DeadLetter.Reason.LATE, eventTime);
                } else if (wasIdle || sliceEnd - 1 <= maybeClosedTo) {
                    merge.single(reading, sliceEnd, deadLetter(chunk, i, DeadLetter.Reason.LATE, eventTime));
                } else {
                    batch.take(reading, sliceEnd);
                }
            }
            // The next ones are decoded into the same rows.
            merge.add(batch);
            first = next;
        }
        decoded.inc(count);
        readAny |= count > 0;
        chunk.maxEventTime(maxEventTime);
    }

    private void letter(PayloadChunk chunk, int i, DeadLetter.Reason reason, long eventTime) {
        output.collect(WindowedAggregation.DEAD_LETTERS, new StreamRecord<>(deadLetter(chunk, i, reason, eventTime)));
    }

    private static DeadLetter deadLetter(PayloadChunk chunk, int i, DeadLetter.Reason reason, long eventTime) {
        return new DeadLetter(reason, chunk.partition(), chunk.position(i), eventTime, chunk.payload(i));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        merge.flush();
    }

    @Override
    public void finish() throws Exception {
        merge.flush();
        super.finish();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        merge.flushClosed(mark.getTimestamp());
        closedTo = Math.max(closedTo, mark.getTimestamp());
        super.processWatermark(mark);
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        idle = status.isIdle();
        if (idle && !readAny) {
            long now = getProcessingTimeService().getCurrentProcessingTime();
            getProcessingTimeService().registerTimer(now + FIRST_IDLE_AFTER_MILLIS, time -> {
                // Also when something was read by now that moves no watermark: it is not told again.
                if (idle) {
                    forward(WatermarkStatus.IDLE);
                }
            });
            return;
        }
        forward(status);
    }

    private void forward(WatermarkStatus status) throws Exception {
        if (status.isIdle()) {
            // While it is idle, other subtasks close slices without asking.
            merge.flush();
            wasIdle = true;
        }
        super.processWatermarkStatus(status);
    }
}
