package dev.millrace.core.window;

import dev.millrace.core.settings.JobSettings.StateBackend;
import dev.millrace.core.settings.WindowSettings;
import dev.millrace.core.state.StateDisk;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapState;
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
 * Keyed by device: keeps an accumulator for each open slice, and when the watermark closes a window, merges the slices in
 * it into a row. A window without a reading makes no row. Each device has one timer for the next window of each slice; a
 * window that fires sets the one after it while slices are left for it.
 */
final class SliceWindows extends AbstractStreamOperator<DeviceWindow>
        implements OneInputStreamOperator<SlicePartial, DeviceWindow>, Triggerable<String, VoidNamespace> {
    private static final String CLOSED_TO = "closed-to";

    private final WindowSettings window;
    private final boolean onDisk;
    private final @Nullable String stateDirectory;

    private transient long sizeMillis;
    private transient long slideMillis;
    private transient MapState<Long, Accumulator> slices;
    private transient InternalTimerService<VoidNamespace> timers;
    private transient Counter late;

    private transient BroadcastState<String, Long> checkpointed;
    private transient long closedTo;

    /** @param stateDirectory RocksDB's; null is Flink's own choice */
    SliceWindows(WindowSettings window, StateBackend stateBackend, @Nullable String stateDirectory) {
        this.window = window;
        this.onDisk = stateBackend == StateBackend.ROCKSDB;
        this.stateDirectory = stateDirectory;
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
        sizeMillis = window.sizeMillis();
        slideMillis = window.slideMillis();
        timers = getInternalTimerService("windows", VoidNamespaceSerializer.INSTANCE, this);
        slices = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("slices", LongSerializer.INSTANCE, new AccumulatorSerializer()));
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

    @Override
    public void processElement(StreamRecord<SlicePartial> element) throws Exception {
        SlicePartial partial = element.getValue();
        long sliceEnd = partial.sliceEnd;
        if (sliceEnd - 1 <= closedTo) {
            letter(partial);
            return;
        }
        Accumulator slice = slices.get(sliceEnd);
        if (slice == null) {
            slices.put(sliceEnd, partial.values.copy());
            timers.registerEventTimeTimer(VoidNamespace.INSTANCE, window.firstWindowEnd(sliceEnd) - 1);
        } else {
            slice.merge(partial.values);
            slices.put(sliceEnd, slice);
        }
    }

    private void letter(SlicePartial partial) {
        if (partial.ifClosed == null) {
            throw new IllegalStateException("slice " + partial.sliceEnd + " of device " + partial.deviceId
                    + " came after the watermark " + closedTo + " from a subtask that was never idle");
        }
        late.inc();
        output.collect(WindowedAggregation.DEAD_LETTERS, new StreamRecord<>(partial.ifClosed));
    }

    @Override
    public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
        long windowEnd = timer.getTimestamp() + 1;
        long windowStart = windowEnd - sizeMillis;
        long nextWindowStart = windowStart + slideMillis;
        Accumulator values = new Accumulator();
        boolean more = false;
        boolean empty = true;
        for (Iterator<Map.Entry<Long, Accumulator>> all = slices.iterator(); all.hasNext(); ) {
            Map.Entry<Long, Accumulator> slice = all.next();
            long sliceEnd = slice.getKey();
            if (sliceEnd > windowEnd) {
                empty = false;
                continue;
            }
            if (sliceEnd > windowStart) {
                values.merge(slice.getValue());
            }
            if (sliceEnd > nextWindowStart) {
                more = true;
            } else {
                all.remove();
            }
        }
        if (empty && !more) {
            // An empty map would stay for every device that was ever seen.
            slices.clear();
        }
        if (more) {
            timers.registerEventTimeTimer(VoidNamespace.INSTANCE, windowEnd + slideMillis - 1);
        }
        if (values.readings > 0) {
            DeviceWindow row = new DeviceWindow(timer.getKey(), windowStart, windowEnd, values);
            output.collect(new StreamRecord<>(row, windowEnd - 1));
        }
    }

    @Override
    public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) {
        throw new IllegalStateException("windows have no processing time");
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        closedTo = Math.max(closedTo, mark.getTimestamp());
        super.processWatermark(mark);
    }
}
