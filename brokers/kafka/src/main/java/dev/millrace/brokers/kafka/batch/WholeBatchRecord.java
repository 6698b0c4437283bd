package dev.millrace.brokers.kafka.batch;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * A batch in the guise of a record without key and value. Its offset is the batch's last one: behind it the consumer goes on, and
 * a batch that begins before the consumer's position is not passed over.
 */
final class WholeBatchRecord implements Record {
    private final FetchedBatch fetched;
    private final RecordBatch batch;

    WholeBatchRecord(FetchedBatch fetched) {
        this.fetched = fetched;
        this.batch = fetched.batch();
    }

    @Override
    public long offset() {
        return batch.lastOffset();
    }

    @Override
    public Header[] headers() {
        return new Header[] {fetched};
    }

    @Override
    public int sequence() {
        return batch.baseSequence();
    }

    @Override
    public int sizeInBytes() {
        return batch.sizeInBytes();
    }

    @Override
    public long timestamp() {
        return batch.maxTimestamp();
    }

    @Override
    public void ensureValid() {
        // Of this format the client has asked the batch already, and once more would be as long again: a batch is its
        // checksum's unit.
        if (batch.magic() < RecordBatch.MAGIC_VALUE_V2) {
            batch.ensureValid();
        }
    }

    @Override
    public int keySize() {
        return -1;
    }

    @Override
    public boolean hasKey() {
        return false;
    }

    @Override
    public @Nullable ByteBuffer key() {
        return null;
    }

    @Override
    public int valueSize() {
        return -1;
    }

    @Override
    public boolean hasValue() {
        return false;
    }

    @Override
    public @Nullable ByteBuffer value() {
        return null;
    }

    @Override
    public boolean hasMagic(byte magic) {
        return batch.magic() == magic;
    }

    @Override
    public boolean isCompressed() {
        return batch.isCompressed();
    }

    @Override
    public boolean hasTimestampType(TimestampType timestampType) {
        return batch.timestampType() == timestampType;
    }
}
