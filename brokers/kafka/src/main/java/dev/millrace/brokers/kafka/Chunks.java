package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.connectors.api.reader.ChunkPool;
import dev.millrace.core.reading.PayloadChunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a poll brought of one partition into chunks. Payloads that were not compressed lie in the fetch's one array and stay
 * there; the others, each in a buffer of its own, are copied together. Not thread-safe.
 */
final class Chunks {
    /** So little that what one core has copied is still in a cache when the other decodes it. */
    private static final int CHUNK_BYTES = 512 << 10;

    private static final int CHUNK_RECORDS = 4096;
    private static final byte[] NO_ARRAY = new byte[0];

    private final ChunkPool pool;

    Chunks(ChunkPool pool) {
        this.pool = pool;
    }

    /** @param records of one partition, in order; a record without a value becomes an empty payload */
    List<PayloadChunk> of(int partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
        List<PayloadChunk> chunks = new ArrayList<>();
        ChunkBuilder chunk = new ChunkBuilder(partition, CHUNK_BYTES, pool);
        byte[] borrowed = NO_ARRAY;
        int count = records.size();
        for (int i = 0; i < count; i++) {
            ConsumerRecord<ByteBuffer, ByteBuffer> record = records.get(i);
            ByteBuffer value = record.value();
            byte[] array = array(value);
            boolean lies = array == borrowed;
            boolean begins = !lies && isShared(array, records, i);
            boolean full = chunk.count() >= CHUNK_RECORDS || borrowed == NO_ARRAY && chunk.size() >= CHUNK_BYTES;
            if (chunk.count() > 0 && (begins || full || !lies && borrowed != NO_ARRAY)) {
                chunks.add(chunk.build(false));
            }
            if (chunk.count() == 0) {
                borrowed = lies || begins ? array : NO_ARRAY;
                if (borrowed != NO_ARRAY) {
                    chunk.borrow(borrowed);
                }
            }
            if (borrowed == NO_ARRAY) {
                chunk.add(value, record.timestamp(), 0, record.offset());
            } else {
                int start = value.arrayOffset() + value.position();
                chunk.span(start, start + value.remaining(), record.timestamp(), 0, record.offset());
            }
        }
        if (chunk.count() > 0) {
            chunks.add(chunk.build(false));
        }
        return chunks;
    }

    /** Whether the record behind this one lies in the same array; a whole array for one payload is not worth keeping. */
    private static boolean isShared(byte[] array, List<ConsumerRecord<ByteBuffer, ByteBuffer>> records, int i) {
        return array != NO_ARRAY
                && i + 1 < records.size()
                && array(records.get(i + 1).value()) == array;
    }

    private static byte[] array(@Nullable ByteBuffer value) {
        return value != null && value.hasArray() ? value.array() : NO_ARRAY;
    }
}
