package dev.millrace.brokers.kafka;

import dev.millrace.core.reading.PayloadChunk;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Turns what a poll brought of one partition into a chunk: each payload is copied once, out of the fetch's buffer. */
final class Chunks {
    private Chunks() {}

    /**
     * @param records of one partition, at least one; a record without a value becomes an empty payload
     */
    static PayloadChunk of(int partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
        int count = records.size();
        int size = 0;
        for (int i = 0; i < count; i++) {
            ByteBuffer value = records.get(i).value();
            size = Math.addExact(size, value == null ? 0 : value.remaining());
        }
        byte[] bytes = new byte[size];
        int[] ends = new int[count];
        long[] timestamps = new long[count];
        long[] offsets = new long[count];
        int end = 0;
        for (int i = 0; i < count; i++) {
            ConsumerRecord<ByteBuffer, ByteBuffer> record = records.get(i);
            ByteBuffer value = record.value();
            if (value != null) {
                int length = value.remaining();
                value.get(value.position(), bytes, end, length);
                end += length;
            }
            ends[i] = end;
            timestamps[i] = record.timestamp();
            offsets[i] = record.offset();
        }
        return new PayloadChunk(partition, count, bytes, ends, timestamps, 0, offsets, false);
    }
}
