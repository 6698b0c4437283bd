package dev.millrace.core.window;

import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.JobSettings.StateBackend;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.state.StateDisk;
import java.nio.file.Path;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keyed by device: what every job has in common that keeps slices open until the watermark closes them. It knows which are
 * closed, also after a restore (watermarks are not in checkpoints), and what becomes of a reading that comes for one of those.
 */
public abstract class SliceOperator<P, R> extends AbstractStreamOperator<R>
        implements OneInputStreamOperator<P, R>, Triggerable<String, VoidNamespace> {
    private static final String CLOSED_TO = "closed-to";

    private final WindowSettings window;
    private final String timersName;
    private final boolean onDisk;
    private final @Nullable String stateDirectory;

    private transient InternalTimerService<VoidNamespace> timers;
    private transient Counter late;

    private transient BroadcastState<String, Long> checkpointed;
    private transient long closedTo;

    /** @param timersName of the timers in savepoints; never to be changed */
    protected SliceOperator(JobSettings settings, String timersName) {
        this.window = settings.window();
        this.timersName = timersName;
        this.onDisk = settings.stateBackend() == StateBackend.ROCKSDB;
        this.stateDirectory = settings.stateDirectory();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        // Barriers are aligned, so every subtask has seen the same watermarks at a checkpoint: any one's value serves
        // all.
        checkpointed = context.getOperatorStateStore()
                .getBroadcastState(
                        new MapStateDescriptor<>(CLOSED_TO, StringSerializer.INSTANCE, LongSerializer.INSTANCE));
        Long restored = checkpointed.get(CLOSED_TO);
        closedTo = restored == null ? Long.MIN_VALUE : restored;
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        checkpointed.put(CLOSED_TO, closedTo);
        super.snapshotState(context);
    }

    @Override
    public void open() throws Exception {
        super.open();
        timers = getInternalTimerService(timersName, VoidNamespaceSerializer.INSTANCE, this);
        late = getMetricGroup().counter("readingsLate");
        getMetricGroup().gauge("watermarkDelayMillis", (Gauge<Long>) this::watermarkDelayMillis);
        if (onDisk) {
            watchDisk();
        }
    }

    private void watchDisk() {
        String directory = stateDirectory != null
                ? stateDirectory
                : getContainingTask().getEnvironment().getTaskManagerInfo().getTmpDirectories()[0];
        StateDisk disk = StateDisk.watching(Path.of(directory));
        getMetricGroup().gauge("stateDiskSyncsPerSecond", (Gauge<Double>)
                () -> disk.last().syncsPerSecond());
        getMetricGroup()
                .gauge("stateDiskFreeBytes", (Gauge<Long>) () -> disk.last().freeBytes());
    }

    /** How far the watermark is behind the wall clock; 0 before the first and after the last. */
    private long watermarkDelayMillis() {
        long watermark = timers.currentWatermark();
        return watermark == Long.MIN_VALUE || watermark == Long.MAX_VALUE ? 0 : System.currentTimeMillis() - watermark;
    }

    protected final WindowSettings window() {
        return window;
    }

    /** Calls {@link #onEventTime} for the current device when the watermark has passed {@code end - 1}. */
    protected final void wakeAt(long end) {
        timers.registerEventTimeTimer(VoidNamespace.INSTANCE, end - 1);
    }

    protected final boolean isClosed(long sliceEnd) {
        return sliceEnd - 1 <= closedTo;
    }

    /** A reading for a slice that is closed becomes a dead letter. */
    protected final void late(String deviceId, long sliceEnd, @Nullable DeadLetter ifClosed) {
        if (ifClosed == null) {
            throw new IllegalStateException("slice " + sliceEnd + " of device " + deviceId
                    + " came after the watermark " + closedTo + " from a subtask that was never idle");
        }
        late.inc();
        output.collect(WindowedAggregation.DEAD_LETTERS, new StreamRecord<>(ifClosed));
    }

    @Override
    public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) {
        throw new IllegalStateException("slices have no processing time");
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        closedTo = Math.max(closedTo, mark.getTimestamp());
        super.processWatermark(mark);
    }
}
