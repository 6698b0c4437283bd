package dev.millrace.core.latest;

import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.window.SliceOperator;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Keeps for each device what is known of its event types, for ever, and the slices that are open. When the watermark closes a
 * slice, its readings are added to what is known, and each type that had one makes a row. So a row says what was known at a time
 * of the readings' own clock, and is the same on every broker and after every restart.
 */
final class SliceTimes extends SliceOperator<TypedReading, LatestTime> {
    private transient MapState<Long, OpenSlice> open;
    private transient MapState<String, Seen> known;

    SliceTimes(JobSettings settings) {
        super(settings, "latest-times");
    }

    @Override
    public void open() throws Exception {
        super.open();
        open = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("open", LongSerializer.INSTANCE, OpenSliceSerializer.INSTANCE));
        known = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("known", StringSerializer.INSTANCE, SeenSerializer.INSTANCE));
    }

    @Override
    public void processElement(StreamRecord<TypedReading> element) throws Exception {
        TypedReading reading = element.getValue();
        if (isClosed(reading.sliceEnd)) {
            late(reading.deviceId, reading.sliceEnd, reading.ifClosed);
            return;
        }
        OpenSlice slice = open.get(reading.sliceEnd);
        if (slice == null) {
            slice = new OpenSlice();
            wakeAt(reading.sliceEnd);
        }
        slice.add(reading.eventType, reading.eventTime);
        open.put(reading.sliceEnd, slice);
    }

    @Override
    public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
        long sliceEnd = timer.getTimestamp() + 1;
        OpenSlice slice = open.get(sliceEnd);
        for (int i = 0; i < slice.count(); i++) {
            String type = slice.type(i);
            Seen before = known.get(type);
            Seen now = before == null
                    ? new Seen(slice.latest(i), slice.readings(i))
                    : before.and(slice.latest(i), slice.readings(i));
            known.put(type, now);
            output.collect(new StreamRecord<>(
                    new LatestTime(timer.getKey(), type, now.latest(), now.readings(), sliceEnd),
                    timer.getTimestamp()));
        }
        open.remove(sliceEnd);
    }
}
