package dev.millrace.core.window;

import dev.millrace.core.reading.PayloadChunk;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Chunks never leave the task that read them: the decoder is chained to the source. This serializer hands the same
 * object on (the watermark generator must see what the decoder wrote) and refuses all else.
 */
final class PayloadChunkSerializer extends VersionedSerializer<PayloadChunk> {
    static final PayloadChunkSerializer INSTANCE = new PayloadChunkSerializer();

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public PayloadChunk createInstance() {
        return PayloadChunk.confirmedEnd(0, 0, false);
    }

    @Override
    public PayloadChunk copy(PayloadChunk from) {
        return from;
    }

    @Override
    public void serialize(PayloadChunk chunk, DataOutputView out) {
        throw notChained();
    }

    @Override
    public PayloadChunk deserialize(DataInputView in) {
        throw notChained();
    }

    private static IllegalStateException notChained() {
        return new IllegalStateException(
                "the decoder is not chained to the source: give both the same parallelism and" + " leave chaining on");
    }

    @Override
    public TypeSerializerSnapshot<PayloadChunk> snapshotConfiguration() {
        return new SnapshotOfPayloadChunk();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class SnapshotOfPayloadChunk extends Snapshot<PayloadChunk> {
        public SnapshotOfPayloadChunk() {
            super(INSTANCE, 1);
        }
    }
}
