package dev.millrace.brokers.kafka.batch;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.RecordBatch;

/**
 * A record batch as a fetch has brought it. It travels as the only header of the one consumer record that a {@link BatchConsumer}
 * makes of a batch, because a header is an object of our own that Kafka's client passes on untouched.
 *
 * @param batch its fields; checked against its checksum by the consumer
 * @param bytes all of it, header included, where the fetch has put it
 * @param logStartOffset the first offset that the partition holds: a batch may begin with records that were deleted
 */
public record FetchedBatch(RecordBatch batch, ByteBuffer bytes, long logStartOffset) implements Header {

    /** What {@code record} of a {@link BatchConsumer} stands for. */
    public static FetchedBatch of(ConsumerRecord<?, ?> record) {
        return (FetchedBatch) record.headers().iterator().next();
    }

    @Override
    public String key() {
        return "batch";
    }

    @Override
    public byte[] value() {
        throw new UnsupportedOperationException("a batch is read where it lies");
    }
}
