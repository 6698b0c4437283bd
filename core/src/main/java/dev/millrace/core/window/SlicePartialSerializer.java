package dev.millrace.core.window;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One partial, as it crosses the network to the subtask of its device. */
final class SlicePartialSerializer extends VersionedSerializer<SlicePartial> {
    static final SlicePartialSerializer INSTANCE = new SlicePartialSerializer();

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public SlicePartial createInstance() {
        return new SlicePartial();
    }

    @Override
    public SlicePartial copy(SlicePartial from) {
        SlicePartial copy = new SlicePartial();
        copy.deviceId = from.deviceId;
        copy.sliceEnd = from.sliceEnd;
        copy.values = from.values.copy();
        copy.ifClosed = from.ifClosed;
        return copy;
    }

    @Override
    public void serialize(SlicePartial partial, DataOutputView out) throws IOException {
        StringSerializer.INSTANCE.serialize(partial.deviceId, out);
        out.writeLong(partial.sliceEnd);
        AccumulatorSerializer.write(partial.values, out);
        out.writeBoolean(partial.ifClosed != null);
        if (partial.ifClosed != null) {
            DeadLetterSerializer.INSTANCE.serialize(partial.ifClosed, out);
        }
    }

    @Override
    public SlicePartial deserialize(DataInputView in) throws IOException {
        SlicePartial partial = new SlicePartial();
        partial.deviceId = StringSerializer.INSTANCE.deserialize(in);
        partial.sliceEnd = in.readLong();
        AccumulatorSerializer.read(partial.values, in);
        partial.ifClosed = in.readBoolean() ? DeadLetterSerializer.INSTANCE.deserialize(in) : null;
        return partial;
    }

    @Override
    public TypeSerializerSnapshot<SlicePartial> snapshotConfiguration() {
        return new SnapshotOfSlicePartial();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfSlicePartial extends Snapshot<SlicePartial> {
        public SnapshotOfSlicePartial() {
            super(INSTANCE, AccumulatorSerializer.VERSION);
        }
    }
}
