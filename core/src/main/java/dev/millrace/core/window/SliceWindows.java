package dev.millrace.core.window;

import dev.millrace.core.settings.JobSettings;
import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an accumulator for each open slice of a device, and when the watermark closes a window, merges the slices in it into a
 * row. A window without a reading makes no row. Each device has one timer for the next window of each slice; a window that
 * fires sets the one after it while slices are left for it.
 */
final class SliceWindows extends SliceOperator<SlicePartial, DeviceWindow> {
    private transient long sizeMillis;
    private transient long slideMillis;
    private transient MapState<Long, Accumulator> slices;

    SliceWindows(JobSettings settings) {
        super(settings, "windows");
    }

    @Override
    public void open() throws Exception {
        super.open();
        sizeMillis = window().sizeMillis();
        slideMillis = window().slideMillis();
        slices = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("slices", LongSerializer.INSTANCE, new AccumulatorSerializer()));
    }

    @Override
    public void processElement(StreamRecord<SlicePartial> element) throws Exception {
        SlicePartial partial = element.getValue();
        long sliceEnd = partial.sliceEnd;
        if (isClosed(sliceEnd)) {
            late(partial.deviceId, sliceEnd, partial.ifClosed);
            return;
        }
        Accumulator slice = slices.get(sliceEnd);
        if (slice == null) {
            // Nobody uses this one again: it was read off the network, the sender's own is on its side of the key.
            slices.put(sliceEnd, partial.values);
            wakeAt(window().firstWindowEnd(sliceEnd));
        } else {
            slice.merge(partial.values);
            slices.put(sliceEnd, slice);
        }
    }

    @Override
    public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
        long windowEnd = timer.getTimestamp() + 1;
        long windowStart = windowEnd - sizeMillis;
        long nextWindowStart = windowStart + slideMillis;
        @Nullable Accumulator values = null;
        boolean more = false;
        boolean empty = true;
        for (Iterator<Map.Entry<Long, Accumulator>> all = slices.iterator(); all.hasNext(); ) {
            Map.Entry<Long, Accumulator> slice = all.next();
            long sliceEnd = slice.getKey();
            if (sliceEnd > windowEnd) {
                empty = false;
                continue;
            }
            boolean stays = sliceEnd > nextWindowStart;
            if (sliceEnd > windowStart) {
                values = merged(values, slice.getValue(), stays);
            }
            if (stays) {
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
            wakeAt(windowEnd + slideMillis);
        }
        if (values != null && values.readings > 0) {
            DeviceWindow row = new DeviceWindow(timer.getKey(), windowStart, windowEnd, values);
            output.collect(new StreamRecord<>(row, windowEnd - 1));
        }
    }

    /** What a row holds so far with one more slice, which it may become itself unless it stays for the next window. */
    private static Accumulator merged(@Nullable Accumulator values, Accumulator slice, boolean stays) {
        if (values == null) {
            return stays ? slice.copy() : slice;
        }
        values.merge(slice);
        return values;
    }
}
