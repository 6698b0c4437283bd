package dev.millrace.brokers.kafka.batch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.ConvertedRecords;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.Records;
import org.apache.kafka.common.utils.AbstractIterator;
import org.apache.kafka.common.utils.Time;

/** What was fetched of a partition, with one record for each batch. Control batches stay as they are. */
final class WholeBatches extends AbstractRecords {
    private final MemoryRecords fetched;
    private final List<RecordBatch> batches = new ArrayList<>();

    WholeBatches(MemoryRecords fetched, long logStartOffset) {
        this.fetched = fetched;
        ByteBuffer bytes = fetched.buffer();
        int at = bytes.position();
        for (RecordBatch batch : fetched.batches()) {
            int end = at + batch.sizeInBytes();
            batches.add(
                    batch.isControlBatch()
                            ? batch
                            : new WholeBatch(new FetchedBatch(
                                    batch, bytes.duplicate().position(at).limit(end), logStartOffset)));
            at = end;
        }
    }

    @Override
    public Iterable<? extends RecordBatch> batches() {
        return batches;
    }

    @Override
    public AbstractIterator<? extends RecordBatch> batchIterator() {
        return new AbstractIterator<RecordBatch>() {
            private int next;

            @Override
            protected RecordBatch makeNext() {
                return next < batches.size() ? batches.get(next++) : allDone();
            }
        };
    }

    @Override
    public int sizeInBytes() {
        return fetched.sizeInBytes();
    }

    @Override
    public int writeTo(TransferableChannel channel, int position, int length) throws IOException {
        return fetched.writeTo(channel, position, length);
    }

    @Override
    public ConvertedRecords<? extends Records> downConvert(byte toMagic, long firstOffset, Time time) {
        return fetched.downConvert(toMagic, firstOffset, time);
    }
}
