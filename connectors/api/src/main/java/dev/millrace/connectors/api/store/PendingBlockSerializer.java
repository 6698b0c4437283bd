package dev.millrace.connectors.api.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A block as it stands in a checkpoint. A version that was ever released stays readable. */
final class PendingBlockSerializer implements SimpleVersionedSerializer<PendingBlock> {
    /** Blocks with their bytes. */
    private static final int IN_MEMORY = 1;
    /** The same, and behind it the file. */
    private static final int WITH_FILE = 2;

    @Override
    public int getVersion() {
        return WITH_FILE;
    }

    @Override
    public byte[] serialize(PendingBlock pending) throws IOException {
        StoreBlock block = pending.block();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(block.bytes().length + 256);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(block.table().sqlName());
        out.writeUTF(block.token());
        out.writeInt(block.writer());
        out.writeInt(block.writers());
        out.writeLong(block.watermark());
        out.writeInt(block.rows());
        out.writeInt(block.bytes().length);
        out.write(block.bytes());
        out.writeUTF(pending.file());
        return bytes.toByteArray();
    }

    @Override
    public PendingBlock deserialize(int version, byte[] serialized) throws IOException {
        if (version != IN_MEMORY && version != WITH_FILE) {
            throw new IOException(
                    "a store block of version " + version + "; this job reads versions up to " + WITH_FILE);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
        StoreBlock block = new StoreBlock(
                StoreTable.ofSqlName(in.readUTF()),
                in.readUTF(),
                in.readInt(),
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readNBytes(in.readInt()));
        return new PendingBlock(block, version == WITH_FILE ? in.readUTF() : "");
    }
}
