package dev.millrace.connectors.api.reader;

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
public record PartitionEnumeratorState(int known, List<PartitionSplit> unassigned) {

    /** Before the first look. */
    public static PartitionEnumeratorState nothingKnown() {
        return new PartitionEnumeratorState(0, List.of());
    }

    /** Known, number of splits, splits; the version is that of the splits. */
    public static final class Serializer implements SimpleVersionedSerializer<PartitionEnumeratorState> {
        private static final int VERSION = PartitionSplitSerializer.VERSION;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(PartitionEnumeratorState state) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(state.known());
            out.writeInt(state.unassigned().size());
            for (PartitionSplit split : state.unassigned()) {
                PartitionSplitSerializer.write(split, out);
            }
            return bytes.toByteArray();
        }

        @Override
        public PartitionEnumeratorState deserialize(int version, byte[] serialized) throws IOException {
            if (version > VERSION) {
                throw new IOException("an enumerator's state of version " + version + " is of a newer release");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
            int known = in.readInt();
            int count = in.readInt();
            List<PartitionSplit> unassigned = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                unassigned.add(PartitionSplitSerializer.read(version, in));
            }
            return new PartitionEnumeratorState(known, unassigned);
        }
    }
}
