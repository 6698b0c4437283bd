package dev.millrace.core.latest;

import dev.millrace.core.window.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One row, on its way to the store's sink. */
final class LatestTimeSerializer extends VersionedSerializer<LatestTime> {
    static final LatestTimeSerializer INSTANCE = new LatestTimeSerializer();

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public LatestTime createInstance() {
        return new LatestTime("", "", 0, 0, 0);
    }

    @Override
    public LatestTime copy(LatestTime from) {
        return from;
    }

    @Override
    public void serialize(LatestTime row, DataOutputView out) throws IOException {
        StringSerializer.INSTANCE.serialize(row.deviceId(), out);
        StringSerializer.INSTANCE.serialize(row.eventType(), out);
        out.writeLong(row.latest());
        out.writeLong(row.readings());
        out.writeLong(row.asOf());
    }

    @Override
    public LatestTime deserialize(DataInputView in) throws IOException {
        return new LatestTime(
                StringSerializer.INSTANCE.deserialize(in),
                StringSerializer.INSTANCE.deserialize(in),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    @Override
    public TypeSerializerSnapshot<LatestTime> snapshotConfiguration() {
        return new SnapshotOfLatestTime();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfLatestTime extends Snapshot<LatestTime> {
        public SnapshotOfLatestTime() {
            super(INSTANCE, 1);
        }
    }
}
