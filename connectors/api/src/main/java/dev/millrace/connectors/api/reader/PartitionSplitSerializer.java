package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** Version 1: topic, partition, start, stop; a position is a flag and two numbers. Version 2: the index before the start, too. */
public final class PartitionSplitSerializer implements SimpleVersionedSerializer<PartitionSplit> {
    static final int VERSION = 2;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(PartitionSplit split) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(split, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    @Override
    public PartitionSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version > VERSION) {
            throw new IOException("a split of version " + version + " was written by a newer release");
        }
        return read(version, new DataInputStream(new ByteArrayInputStream(serialized)));
    }

    static void write(PartitionSplit split, DataOutput out) throws IOException {
        out.writeUTF(split.topic());
        out.writeInt(split.partition());
        write(split.start(), out);
        write(split.stop(), out);
        out.writeLong(split.indexBefore());
    }

    static PartitionSplit read(int version, DataInput in) throws IOException {
        return new PartitionSplit(
                in.readUTF(),
                in.readInt(),
                position(in),
                position(in),
                version == 1 ? PayloadChunk.NOT_COUNTED : in.readLong());
    }

    private static void write(@Nullable Position position, DataOutput out) throws IOException {
        out.writeBoolean(position != null);
        if (position != null) {
            out.writeLong(position.major());
            out.writeLong(position.minor());
        }
    }

    private static @Nullable Position position(DataInput in) throws IOException {
        return in.readBoolean() ? new Position(in.readLong(), in.readLong()) : null;
    }
}
