package dev.millrace.brokers.kafka.batch;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;

/** A batch that gives itself as its only record; all else is the batch's own. */
final class WholeBatch implements RecordBatch {
    private final RecordBatch batch;
    private final Record whole;

    WholeBatch(FetchedBatch fetched) {
        this.batch = fetched.batch();
        this.whole = new WholeBatchRecord(fetched);
    }

    @Override
    public CloseableIterator<Record> streamingIterator(BufferSupplier decompressionBuffers) {
        return CloseableIterator.wrap(iterator());
    }

    @Override
    public Iterator<Record> iterator() {
        return List.of(whole).iterator();
    }

    @Override
    public boolean isValid() {
        return batch.isValid();
    }

    @Override
    public void ensureValid() {
        batch.ensureValid();
    }

    @Override
    public long checksum() {
        return batch.checksum();
    }

    @Override
    public long maxTimestamp() {
        return batch.maxTimestamp();
    }

    @Override
    public TimestampType timestampType() {
        return batch.timestampType();
    }

    @Override
    public long baseOffset() {
        return batch.baseOffset();
    }

    @Override
    public long lastOffset() {
        return batch.lastOffset();
    }

    @Override
    public long nextOffset() {
        return batch.nextOffset();
    }

    @Override
    public byte magic() {
        return batch.magic();
    }

    @Override
    public long producerId() {
        return batch.producerId();
    }

    @Override
    public short producerEpoch() {
        return batch.producerEpoch();
    }

    @Override
    public boolean hasProducerId() {
        return batch.hasProducerId();
    }

    @Override
    public int baseSequence() {
        return batch.baseSequence();
    }

    @Override
    public int lastSequence() {
        return batch.lastSequence();
    }

    @Override
    public CompressionType compressionType() {
        return batch.compressionType();
    }

    @Override
    public int sizeInBytes() {
        return batch.sizeInBytes();
    }

    @Override
    public Integer countOrNull() {
        return batch.countOrNull();
    }

    @Override
    public boolean isCompressed() {
        return batch.isCompressed();
    }

    @Override
    public void writeTo(ByteBuffer buffer) {
        batch.writeTo(buffer);
    }

    @Override
    public boolean isTransactional() {
        return batch.isTransactional();
    }

    @Override
    public OptionalLong deleteHorizonMs() {
        return batch.deleteHorizonMs();
    }

    @Override
    public int partitionLeaderEpoch() {
        return batch.partitionLeaderEpoch();
    }

    @Override
    public boolean isControlBatch() {
        return batch.isControlBatch();
    }
}
