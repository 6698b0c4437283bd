package dev.millrace.core.window;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One row. Nobody changes a row's accumulator after it was emitted, so that a copy is the row itself. */
final class DeviceWindowSerializer extends VersionedSerializer<DeviceWindow> {
    static final DeviceWindowSerializer INSTANCE = new DeviceWindowSerializer();

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public DeviceWindow createInstance() {
        return new DeviceWindow("", 0, 0, new Accumulator());
    }

    @Override
    public DeviceWindow copy(DeviceWindow from) {
        return from;
    }

    @Override
    public void serialize(DeviceWindow window, DataOutputView out) throws IOException {
        StringSerializer.INSTANCE.serialize(window.deviceId(), out);
        out.writeLong(window.windowStart());
        out.writeLong(window.windowEnd());
        AccumulatorSerializer.write(window.values(), out);
    }

    @Override
    public DeviceWindow deserialize(DataInputView in) throws IOException {
        String deviceId = StringSerializer.INSTANCE.deserialize(in);
        long windowStart = in.readLong();
        long windowEnd = in.readLong();
        Accumulator values = new Accumulator();
        AccumulatorSerializer.read(values, in);
        return new DeviceWindow(deviceId, windowStart, windowEnd, values);
    }

    @Override
    public TypeSerializerSnapshot<DeviceWindow> snapshotConfiguration() {
        return new SnapshotOfDeviceWindow();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfDeviceWindow extends Snapshot<DeviceWindow> {
        public SnapshotOfDeviceWindow() {
            super(INSTANCE, AccumulatorSerializer.VERSION);
        }
    }
}
