package dev.millrace.brokers.kafka;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.common.Uuid;

/**
 * What a checkpoint has of the enumerator.
 *
 * @param official the official connector's state
 * @param topicId of the topic that was read; {@link Uuid#ZERO_UUID} when it is not known
 */
record TopicState(KafkaSourceEnumState official, Uuid topicId) {

    /** Reads the official connector's own state, too: checkpoints had no more at first. */
    record Serializer(SimpleVersionedSerializer<KafkaSourceEnumState> official)
            implements SimpleVersionedSerializer<TopicState> {
        /** Far above the versions that the official connector comes to. */
        private static final int VERSION = 1001;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(TopicState state) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                out.writeLong(state.topicId.getMostSignificantBits());
                out.writeLong(state.topicId.getLeastSignificantBits());
                out.writeInt(official.getVersion());
                out.write(official.serialize(state.official));
            }
            return bytes.toByteArray();
        }

        @Override
        public TopicState deserialize(int version, byte[] serialized) throws IOException {
            if (version < VERSION) {
                return new TopicState(official.deserialize(version, serialized), Uuid.ZERO_UUID);
            }
            if (version > VERSION) {
                throw new IOException("state of a source of Kafka of version " + version
                        + " is newer than this build, which knows " + VERSION);
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
                Uuid topicId = new Uuid(in.readLong(), in.readLong());
                return new TopicState(official.deserialize(in.readInt(), in.readAllBytes()), topicId);
            }
        }
    }
}
