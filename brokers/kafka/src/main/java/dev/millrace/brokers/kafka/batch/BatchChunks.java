package dev.millrace.brokers.kafka.batch;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * Turns what a {@link BatchConsumer} has polled into chunks. Payloads that were not compressed stay where the fetch has put them; a
 * compressed batch is decompressed once, into the chunk, when the chunk is asked for. One thread says what was polled, another one may ask
 * for the chunks; neither part is thread-safe.
 *
 * <p>What is read here is format 2 (Kafka's protocol guide, "Record Batch"); batches of the formats before it are read by Kafka's
 * own code.
 */
public final class BatchChunks {
    /** So little that what was decompressed is still in the core's cache when it is decoded. */
    private static final int CHUNK_BYTES = 256 << 10;

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
     * empty payload. A batch that contradicts itself is told to whoever asks for its chunk, as {@link CorruptRecordException}.
     *
     * @param polled of a {@link BatchConsumer}
     */
    public Iterator<PayloadChunk> of(TopicPartition partition, ConsumerRecords<?, ?> polled, long stop) {
        Deque<FetchedBatch> batches = new ArrayDeque<>();
        polled.records(partition).forEach(record -> batches.add(FetchedBatch.of(record)));
        if (batches.isEmpty()) {
            return Collections.emptyIterator();
        }
        // Records may have been deleted up to the middle of a batch.
        long from = next.getOrDefault(partition, batches.getFirst().logStartOffset());
        next.put(partition, batches.getLast().batch().nextOffset());
        return new Packing(partition, batches, from, stop);
    }

    /** Chunks in the making. */
    private final class Packing implements Iterator<PayloadChunk> {
        private final TopicPartition partition;
        private final Deque<FetchedBatch> batches;
        private final Deque<PayloadChunk> ready = new ArrayDeque<>();
        private final ChunkBuilder chunk;
        private final long from;
        private final long stop;
        /** Whether the chunk's payloads lie where the fetch has put them; else it has bytes of its own. */
        private boolean borrowing;

        Packing(TopicPartition partition, Deque<FetchedBatch> batches, long from, long stop) {
            this.partition = partition;
            this.batches = batches;
            this.chunk = new ChunkBuilder(partition.partition(), CHUNK_BYTES, pool);
            this.from = from;
            this.stop = stop;
        }

        @Override
        public boolean hasNext() {
            while (ready.isEmpty() && !batches.isEmpty()) {
                FetchedBatch fetched = batches.poll();
                try {
                    add(fetched);
                } catch (IOException | IndexOutOfBoundsException e) {
                    throw new CorruptRecordException(
                            "the batch with offsets from " + fetched.batch().baseOffset() + " to "
                                    + fetched.batch().lastOffset() + " of " + partition + " cannot be read: "
                                    + e.getMessage(),
                            e);
                }
                if (batches.isEmpty() || !goesOnWith(batches.peek())) {
                    build();
                }
            }
            return !ready.isEmpty();
        }

        @Override
        public PayloadChunk next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return ready.remove();
        }

        private void add(FetchedBatch fetched) throws IOException {
            borrowing = isBorrowed(fetched);
            if (!(fetched.batch() instanceof DefaultRecordBatch batch)) {
                addOld(fetched);
            } else if (borrowing) {
                ByteBuffer bytes = fetched.bytes();
                if (chunk.bytes() != bytes.array()) {
                    chunk.borrow(bytes.array());
                }
                int start = bytes.arrayOffset() + bytes.position();
                addSpans(batch, start + DefaultRecordBatch.RECORD_BATCH_OVERHEAD, start + bytes.remaining());
            } else {
                try (InputStream records = batch.recordInputStream(decompressionBuffers)) {
                    int start = chunk.copy(records);
                    addSpans(batch, start, chunk.size());
                }
            }
        }

        private static boolean isBorrowed(FetchedBatch fetched) {
            return fetched.batch() instanceof DefaultRecordBatch batch
                    && !batch.isCompressed()
                    && fetched.bytes().hasArray();
        }

        /** Whether the chunk takes this batch, too. */
        private boolean goesOnWith(FetchedBatch fetched) {
            return !isFull()
                    && borrowing == isBorrowed(fetched)
                    && (borrowing ? chunk.bytes() == fetched.bytes().array() : chunk.size() < CHUNK_BYTES);
        }

        private void build() {
            if (chunk.count() > 0) {
                ready.add(chunk.build(false));
            } else {
                chunk.clear();
            }
        }

        private void addOld(FetchedBatch fetched) {
            for (Record record : fetched.batch()) {
                if (record.offset() >= from && record.offset() < stop) {
                    chunk.add(record.value(), record.timestamp(), 0, record.offset());
                }
            }
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
