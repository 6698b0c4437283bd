package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameWriter;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Payloads that travel together: a segment for each partition. Filled by one thread, then sent by another; guarded outside. */
final class Batch {
    private static final int SEGMENT_BYTES_MIN = 4 << 10;
    private static final int OVERHEAD_BYTES = 64;

    private final Segment[] segments;
    private final long expectedBytes;
    private final long firstNanos = System.nanoTime();
    private int count;
    private long heldBytes;

    /** @param expectedBytes what it will probably hold; it takes more, too */
    Batch(int partitions, long expectedBytes) {
        segments = new Segment[partitions];
        this.expectedBytes = expectedBytes;
    }

    /** What a payload counts for in the publisher's buffer. */
    static long cost(byte[] value) {
        return value.length + (long) OVERHEAD_BYTES;
    }

    void add(int partition, byte[] value, long eventTimeMillis, Publisher.Receipt receipt) {
        Segment segment = segments[partition];
        if (segment == null) {
            segment = new Segment(partition, (int) (expectedBytes / segments.length));
            segments[partition] = segment;
            count++;
        }
        segment.builder.add(value, 0, value.length, eventTimeMillis, 0, 0);
        segment.receipts.add(receipt);
        heldBytes += cost(value);
    }

    int partitions() {
        return segments.length;
    }

    long heldBytes() {
        return heldBytes;
    }

    long ageNanos() {
        return System.nanoTime() - firstNanos;
    }

    /** Nothing is added any more. */
    void seal() {
        used().forEach(segment -> segment.chunk = segment.builder.build(false));
    }

    /** Writes the request, the same however often it is sent. */
    void write(FrameWriter frame, String topic, String publisher, long session, long sequence) {
        frame.begin(Wire.PUBLISH).text(topic).text(publisher).number(session).number(sequence);
        frame.number(count);
        used().forEach(segment -> {
            PayloadChunk chunk = segment.chunk;
            int records = chunk.count();
            int bytes = chunk.end(records - 1);
            frame.number(segment.partition).number(records).number(bytes);
            for (int i = 0; i < records; i++) {
                frame.number(chunk.end(i));
            }
            for (int i = 0; i < records; i++) {
                frame.number(chunk.brokerTimestamp(i));
            }
            frame.bytes(chunk.bytes(), 0, bytes);
        });
    }

    /** Hands out the receipts of an answer: incarnation, number of segments, first offset of each. */
    void stored(ByteBuffer answer) {
        long incarnation = answer.getLong();
        if (answer.getInt() != count) {
            throw new IllegalStateException("the server answered for another number of segments");
        }
        used().forEach(segment -> {
            long offset = answer.getLong();
            for (Publisher.Receipt receipt : segment.receipts) {
                receipt.stored(segment.partition, new Position(incarnation, offset++));
            }
        });
    }

    /** Tells every receipt the same. */
    void each(Consumer<Publisher.Receipt> fate) {
        used().forEach(segment -> segment.receipts.forEach(fate));
    }

    /** The segments that hold something, by partition. */
    private Stream<Segment> used() {
        return Arrays.stream(segments).filter(Objects::nonNull);
    }

    private static final class Segment {
        private final int partition;
        private final ChunkBuilder builder;
        private final List<Publisher.Receipt> receipts = new ArrayList<>();
        private PayloadChunk chunk;

        private Segment(int partition, int expectedBytes) {
            this.partition = partition;
            // A half more than its share, so that it seldom has to grow.
            builder = new ChunkBuilder(partition, Math.max(SEGMENT_BYTES_MIN, expectedBytes * 3 / 2));
        }
    }
}
