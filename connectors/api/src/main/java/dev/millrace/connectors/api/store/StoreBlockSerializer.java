package dev.millrace.connectors.api.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A block as it stands in a checkpoint. A version that was ever released stays readable. */
final class StoreBlockSerializer implements SimpleVersionedSerializer<StoreBlock> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(StoreBlock block) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(block.bytes().length + 128);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(block.table().sqlName());
        out.writeUTF(block.token());
        out.writeInt(block.writer());
        out.writeInt(block.writers());
        out.writeLong(block.watermark());
        out.writeInt(block.rows());
        out.writeInt(block.bytes().length);
        out.write(block.bytes());
        return bytes.toByteArray();
    }

    @Override
    public StoreBlock deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("a store block of version " + version + "; this job reads version " + VERSION);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
        return new StoreBlock(
                StoreTable.ofSqlName(in.readUTF()),
                in.readUTF(),
                in.readInt(),
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readNBytes(in.readInt()));
    }
}
