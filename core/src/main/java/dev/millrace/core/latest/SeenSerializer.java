package dev.millrace.core.latest;

import dev.millrace.core.window.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** 16 bytes: of these there are as many as devices times types. */
final class SeenSerializer extends VersionedSerializer<Seen> {
    static final SeenSerializer INSTANCE = new SeenSerializer();

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public Seen createInstance() {
        return new Seen(0, 0);
    }

    @Override
    public Seen copy(Seen from) {
        return from;
    }

    @Override
    public void serialize(Seen seen, DataOutputView out) throws IOException {
        out.writeLong(seen.latest());
        out.writeLong(seen.readings());
    }

    @Override
    public Seen deserialize(DataInputView in) throws IOException {
        return new Seen(in.readLong(), in.readLong());
    }

    @Override
    public TypeSerializerSnapshot<Seen> snapshotConfiguration() {
        return new SnapshotOfSeen();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfSeen extends Snapshot<Seen> {
        public SnapshotOfSeen() {
            super(INSTANCE, 1);
        }
    }
}
