package dev.millrace.brokers.kafka.batch;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * Turns what a {@link BatchConsumer} has polled into chunks. Payloads that were not compressed stay where the fetch has put them; a
 * compressed batch is decompressed once, into the chunk. Not thread-safe.
 *
 * <p>What is read here is format 2 (Kafka's protocol guide, "Record Batch"); batches of the formats before it are read by Kafka's
 * own code.
 */
public final class BatchChunks {
    /** So little that what one core has copied is still in a cache when the other decodes it. */
    private static final int CHUNK_BYTES = 512 << 10;

    private static final int CHUNK_RECORDS = 4096;

    private final ChunkPool pool;
    private final BufferSupplier decompressionBuffers = BufferSupplier.create();
    private final Map<TopicPartition, Long> next = new HashMap<>();

    /** @param pool where the chunks' arrays come from */
    public BatchChunks(ChunkPool pool) {
        this.pool = pool;
    }

    /** Says that {@code partition} is read from {@code offset}, which may lie within a batch. */
    public void begin(TopicPartition partition, long offset) {
        next.put(partition, offset);
    }

    /** Says that {@code partition} is read from its oldest record; so is one of which nothing was said. */
    public void beginOldest(TopicPartition partition) {
        next.remove(partition);
    }

    /**
     * The records of a poll's batches, of one partition, with offsets below {@code stop}. A record without a value becomes an
     * empty payload.
     *
     * @param polled of a {@link BatchConsumer}
     * @throws CorruptRecordException if a batch contradicts itself
     */
    public List<PayloadChunk> of(TopicPartition partition, ConsumerRecords<?, ?> polled, long stop) {
        Packing packing = null;
        for (ConsumerRecord<?, ?> record : polled.records(partition)) {
            FetchedBatch fetched = FetchedBatch.of(record);
            if (packing == null) {
                // Records may have been deleted up to the middle of a batch.
                long from = next.getOrDefault(partition, fetched.logStartOffset());
                packing = new Packing(new ChunkBuilder(partition.partition(), CHUNK_BYTES, pool), from, stop);
            }
            try {
                packing.add(fetched, decompressionBuffers);
            } catch (IOException | IndexOutOfBoundsException e) {
                throw new CorruptRecordException(
                        "the batch with offsets from " + fetched.batch().baseOffset() + " to "
                                + fetched.batch().lastOffset() + " of " + partition + " cannot be read: "
                                + e.getMessage(),
                        e);
            }
            next.put(partition, fetched.batch().nextOffset());
        }
        if (packing == null) {
            return List.of();
        }
        packing.build();
        return packing.chunks;
    }

    /** Chunks in the making. */
    private static final class Packing {
        private final List<PayloadChunk> chunks = new ArrayList<>();
        private final ChunkBuilder chunk;
        private final long from;
        private final long stop;
        /** Whether the chunk's payloads lie where the fetch has put them; else it has bytes of its own. */
        private boolean borrowing;

        Packing(ChunkBuilder chunk, long from, long stop) {
            this.chunk = chunk;
            this.from = from;
            this.stop = stop;
        }

        void add(FetchedBatch fetched, BufferSupplier decompressionBuffers) throws IOException {
            if (!(fetched.batch() instanceof DefaultRecordBatch batch)) {
                addOld(fetched);
            } else if (batch.isCompressed() || !fetched.bytes().hasArray()) {
                own();
                try (InputStream records = batch.recordInputStream(decompressionBuffers)) {
                    int start = chunk.copy(records);
                    addSpans(batch, start, chunk.size());
                }
            } else {
                ByteBuffer bytes = fetched.bytes();
                borrow(bytes.array());
                int start = bytes.arrayOffset() + bytes.position();
                addSpans(batch, start + DefaultRecordBatch.RECORD_BATCH_OVERHEAD, start + bytes.remaining());
            }
        }

        void build() {
            if (chunk.count() > 0) {
                chunks.add(chunk.build(false));
            } else {
                chunk.clear();
            }
        }

        private void addOld(FetchedBatch fetched) {
            own();
            for (Record record : fetched.batch()) {
                if (record.offset() >= from && record.offset() < stop) {
                    chunk.add(record.value(), record.timestamp(), 0, record.offset());
                }
            }
        }

        private void own() {
            if (borrowing || isFull() || chunk.size() >= CHUNK_BYTES) {
                build();
            }
            borrowing = false;
        }

        private void borrow(byte[] array) {
            if (!borrowing || isFull() || chunk.bytes() != array) {
                build();
                chunk.borrow(array);
            }
            borrowing = true;
        }

        private boolean isFull() {
            return chunk.count() >= CHUNK_RECORDS;
        }

        /** Those of the batch's records that are wanted; they lie in the chunk's bytes from {@code start} to {@code limit}. */
        private void addSpans(DefaultRecordBatch batch, int start, int limit) {
            byte[] bytes = chunk.bytes();
            RecordCursor record = new RecordCursor(bytes, start, limit);
            boolean appendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
            long baseTimestamp = appendTime ? batch.maxTimestamp() : batch.baseTimestamp();
            long baseOffset = batch.baseOffset();
            int count = batch.countOrNull();
            for (int i = 0; i < count; i++) {
                record.next();
                long offset = baseOffset + record.offsetDelta();
                if (offset >= from && offset < stop) {
                    if (borrowing && isFull()) {
                        build();
                        chunk.borrow(bytes);
                    }
                    long timestamp = appendTime ? baseTimestamp : baseTimestamp + record.timestampDelta();
                    chunk.span(record.valueStart(), record.valueEnd(), timestamp, 0, offset);
                }
            }
        }
    }
}
