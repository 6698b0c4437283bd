package dev.millrace.brokers.memory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * What the enumerator keeps.
 *
 * @param known how many partitions were found so far, from 0 on; 0 is none yet
 * @param unassigned splits that no reader has yet
 */
record MemoryEnumeratorState(int known, List<MemorySplit> unassigned) {

    /** Version 1: known, number of splits, splits. */
    static final class Serializer implements SimpleVersionedSerializer<MemoryEnumeratorState> {
        private static final int VERSION = 1;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(MemoryEnumeratorState state) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(state.known());
            out.writeInt(state.unassigned().size());
            for (MemorySplit split : state.unassigned()) {
                MemorySplitSerializer.write(split, out);
            }
            return bytes.toByteArray();
        }

        @Override
        public MemoryEnumeratorState deserialize(int version, byte[] serialized) throws IOException {
            if (version != VERSION) {
                throw new IOException("an enumerator's state of version " + version + " is of a newer release");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
            int known = in.readInt();
            int count = in.readInt();
            List<MemorySplit> unassigned = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                unassigned.add(MemorySplitSerializer.read(in));
            }
            return new MemoryEnumeratorState(known, unassigned);
        }
    }
}
