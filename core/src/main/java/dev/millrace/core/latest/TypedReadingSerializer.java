package dev.millrace.core.latest;

import dev.millrace.core.window.DeadLetterSerializer;
import dev.millrace.core.window.VersionedSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One reading, as it crosses the network to the subtask of its device. */
final class TypedReadingSerializer extends VersionedSerializer<TypedReading> {
    static final TypedReadingSerializer INSTANCE = new TypedReadingSerializer();

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypedReading createInstance() {
        return new TypedReading();
    }

    @Override
    public TypedReading copy(TypedReading from) {
        TypedReading copy = new TypedReading();
        copy.deviceId = from.deviceId;
        copy.eventType = from.eventType;
        copy.eventTime = from.eventTime;
        copy.sliceEnd = from.sliceEnd;
        copy.ifClosed = from.ifClosed;
        return copy;
    }

    @Override
    public void serialize(TypedReading reading, DataOutputView out) throws IOException {
        StringSerializer.INSTANCE.serialize(reading.deviceId, out);
        StringSerializer.INSTANCE.serialize(reading.eventType, out);
        out.writeLong(reading.eventTime);
        out.writeLong(reading.sliceEnd);
        out.writeBoolean(reading.ifClosed != null);
        if (reading.ifClosed != null) {
            DeadLetterSerializer.INSTANCE.serialize(reading.ifClosed, out);
        }
    }

    @Override
    public TypedReading deserialize(DataInputView in) throws IOException {
        TypedReading reading = new TypedReading();
        reading.deviceId = StringSerializer.INSTANCE.deserialize(in);
        reading.eventType = StringSerializer.INSTANCE.deserialize(in);
        reading.eventTime = in.readLong();
        reading.sliceEnd = in.readLong();
        reading.ifClosed = in.readBoolean() ? DeadLetterSerializer.INSTANCE.deserialize(in) : null;
        return reading;
    }

    @Override
    public TypeSerializerSnapshot<TypedReading> snapshotConfiguration() {
        return new SnapshotOfTypedReading();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfTypedReading extends Snapshot<TypedReading> {
        public SnapshotOfTypedReading() {
            super(INSTANCE, 1);
        }
    }
}
