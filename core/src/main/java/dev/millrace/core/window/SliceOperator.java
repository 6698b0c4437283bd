package dev.millrace.core.window;

import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.JobSettings.StateBackend;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.state.StateDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.LongPrimitiveArraySerializer;
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
    /** Version 1: each subtask's own, of which after a change of parallelism each got one. */
    private static final String CLOSED_TO = "closed-to";

    /** Subtask, parallelism, up to where it is closed; and since there is a third version the window's size and slide. */
    private static final String CLOSED = "closed-by-subtask";

    private static final int WITH_WINDOW = 5;

    private final WindowSettings window;
    private final String timersName;
    private final boolean onDisk;
    private final @Nullable String stateDirectory;

    private transient InternalTimerService<VoidNamespace> timers;
    private transient Counter late;

    private transient ListState<long[]> checkpointed;
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
        closedTo = Long.MIN_VALUE;
        checkpointed = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>(CLOSED, LongPrimitiveArraySerializer.INSTANCE));
        if (context.isRestored()) {
            restore(context.getOperatorStateStore());
        }
    }

    /**
     * Subtasks may be apart at a checkpoint, although barriers are aligned: a source that was idle counts again for each of them
     * once it has come to where that one is. So each goes on from its own; with devices of others, from the farthest, for a slice
     * that was closed for one of them makes no second row. One that was open there keeps its timer and makes its row, without what
     * comes for it now, which is late.
     */
    private void restore(OperatorStateStore store) throws Exception {
        for (long[] element : checkpointed.get()) {
            requireSameWindow(element);
        }
        TaskInfo task = getRuntimeContext().getTaskInfo();
        long farthest = Long.MIN_VALUE;
        for (long[] element : checkpointed.get()) {
            if (element[0] == task.getIndexOfThisSubtask() && element[1] == task.getNumberOfParallelSubtasks()) {
                closedTo = element[2];
                return;
            }
            farthest = Math.max(farthest, element[2]);
        }
        closedTo = farthest;
        if (!checkpointed.get().iterator().hasNext()) {
            BroadcastState<String, Long> version1 = store.getBroadcastState(
                    new MapStateDescriptor<>(CLOSED_TO, StringSerializer.INSTANCE, LongSerializer.INSTANCE));
            Long restored = version1.get(CLOSED_TO);
            closedTo = restored == null ? Long.MIN_VALUE : restored;
            version1.clear();
        }
    }

    /** Slices and timers of another window would make rows of readings that are not theirs. */
    private void requireSameWindow(long[] element) {
        if (element.length < WITH_WINDOW) {
            return;
        }
        Duration size = Duration.ofMillis(element[3]);
        Duration slide = Duration.ofMillis(element[4]);
        if (!size.equals(window.size()) || !slide.equals(window.slide())) {
            throw new UserException(
                    "the state that the job goes on from is of window " + Values.text(size) + " with slide "
                            + Values.text(slide) + ", and the settings say window " + Values.text(window.size())
                            + " with slide "
                            + Values.text(window.slide()) + "; go on with the former, or start without that state");
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        TaskInfo task = getRuntimeContext().getTaskInfo();
        checkpointed.update(List.of(new long[] {
            task.getIndexOfThisSubtask(),
            task.getNumberOfParallelSubtasks(),
            closedTo,
            window.sizeMillis(),
            window.slideMillis()
        }));
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

    /**
     * How far the watermark is behind the wall clock; 0 before the first and after the last. After a restore the first is the one up to
     * which slices were closed before: a partition that holds all back may hold back the next one, too.
     */
    private long watermarkDelayMillis() {
        long watermark = Math.max(timers.currentWatermark(), closedTo);
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
