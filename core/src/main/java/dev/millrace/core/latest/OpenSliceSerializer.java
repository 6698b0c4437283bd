package dev.millrace.core.latest;

import dev.millrace.core.window.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The list as it stands in state. */
final class OpenSliceSerializer extends VersionedSerializer<OpenSlice> {
    static final OpenSliceSerializer INSTANCE = new OpenSliceSerializer();

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public OpenSlice createInstance() {
        return new OpenSlice();
    }

    @Override
    public OpenSlice copy(OpenSlice from) {
        OpenSlice copy = new OpenSlice(0);
        copy.types = from.types.clone();
        copy.latest = from.latest.clone();
        copy.readings = from.readings.clone();
        copy.count = from.count;
        return copy;
    }

    @Override
    public void serialize(OpenSlice slice, DataOutputView out) throws IOException {
        out.writeInt(slice.count);
        for (int i = 0; i < slice.count; i++) {
            StringSerializer.INSTANCE.serialize(slice.types[i], out);
            out.writeLong(slice.latest[i]);
            out.writeLong(slice.readings[i]);
        }
    }

    @Override
    public OpenSlice deserialize(DataInputView in) throws IOException {
        int count = in.readInt();
        OpenSlice slice = new OpenSlice(count + 1);
        slice.count = count;
        for (int i = 0; i < count; i++) {
            slice.types[i] = StringSerializer.INSTANCE.deserialize(in);
            slice.latest[i] = in.readLong();
            slice.readings[i] = in.readLong();
        }
        return slice;
    }

    @Override
    public TypeSerializerSnapshot<OpenSlice> snapshotConfiguration() {
        return new SnapshotOfOpenSlice();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfOpenSlice extends Snapshot<OpenSlice> {
        public SnapshotOfOpenSlice() {
            super(INSTANCE, 1);
        }
    }
}
