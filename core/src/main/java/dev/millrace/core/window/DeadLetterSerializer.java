package dev.millrace.core.window;

import dev.millrace.core.reading.Position;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** One dead letter; the reason travels as its ordinal, so reasons are only ever added at the end. */
public final class DeadLetterSerializer extends VersionedSerializer<DeadLetter> {
    public static final DeadLetterSerializer INSTANCE = new DeadLetterSerializer();
    private static final DeadLetter.Reason[] REASONS = DeadLetter.Reason.values();

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public DeadLetter createInstance() {
        return new DeadLetter(DeadLetter.Reason.LATE, 0, new Position(0, 0), 0, new byte[0]);
    }

    @Override
    public DeadLetter copy(DeadLetter from) {
        return from;
    }

    @Override
    public void serialize(DeadLetter letter, DataOutputView out) throws IOException {
        out.writeByte(letter.reason().ordinal());
        out.writeInt(letter.partition());
        out.writeLong(letter.position().major());
        out.writeLong(letter.position().minor());
        out.writeLong(letter.eventTime());
        out.writeInt(letter.payload().length);
        out.write(letter.payload());
    }

    @Override
    public DeadLetter deserialize(DataInputView in) throws IOException {
        DeadLetter.Reason reason = REASONS[in.readByte()];
        int partition = in.readInt();
        Position position = new Position(in.readLong(), in.readLong());
        long eventTime = in.readLong();
        byte[] payload = new byte[in.readInt()];
        in.readFully(payload);
        return new DeadLetter(reason, partition, position, eventTime, payload);
    }

    @Override
    public TypeSerializerSnapshot<DeadLetter> snapshotConfiguration() {
        return new SnapshotOfDeadLetter();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfDeadLetter extends Snapshot<DeadLetter> {
        public SnapshotOfDeadLetter() {
            super(INSTANCE, 1);
        }
    }
}
