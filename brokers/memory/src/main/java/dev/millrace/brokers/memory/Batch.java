package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameWriter;
import dev.millrace.brokers.memory.log.Wire;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.reader.ChunkBuilder;
import dev.millrace.core.reading.PayloadChunk;
import dev.millrace.core.reading.Position;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Payloads that travel together: a segment for each partition. Filled by one thread, then sent by another; guarded outside. */
final class Batch {
    private static final int SEGMENT_BYTES = 16 << 10;
    private static final int OVERHEAD_BYTES = 64;

    private final Map<Integer, Segment> segments = new TreeMap<>();
    private final long firstNanos = System.nanoTime();
    private int records;
    private long heldBytes;

    /** What a payload counts for in the publisher's buffer. */
    static long cost(byte[] value) {
        return value.length + (long) OVERHEAD_BYTES;
    }

    void add(int partition, byte[] value, long eventTimeMillis, Publisher.Receipt receipt) {
        Segment segment = segments.computeIfAbsent(partition, Segment::new);
        segment.builder.add(value, 0, value.length, eventTimeMillis, 0, 0);
        segment.receipts.add(receipt);
        records++;
        heldBytes += cost(value);
    }

    int records() {
        return records;
    }

    long heldBytes() {
        return heldBytes;
    }

    long ageNanos() {
        return System.nanoTime() - firstNanos;
    }

    /** Nothing is added any more. */
    void seal() {
        segments.values().forEach(segment -> segment.chunk = segment.builder.build(false));
    }

    /** Writes the request, the same however often it is sent. */
    void write(FrameWriter frame, String topic, String publisher, long session, long sequence) {
        frame.begin(Wire.PUBLISH).text(topic).text(publisher).number(session).number(sequence);
        frame.number(segments.size());
        segments.forEach((partition, segment) -> {
            PayloadChunk chunk = segment.chunk;
            int count = chunk.count();
            int bytes = chunk.end(count - 1);
            frame.number(partition).number(count).number(bytes);
            for (int i = 0; i < count; i++) {
                frame.number(chunk.end(i));
            }
            for (int i = 0; i < count; i++) {
                frame.number(chunk.brokerTimestamp(i));
            }
            frame.bytes(chunk.bytes(), 0, bytes);
        });
    }

    /** Hands out the receipts of an answer: incarnation, number of segments, first offset of each. */
    void stored(ByteBuffer answer) {
        long incarnation = answer.getLong();
        if (answer.getInt() != segments.size()) {
            throw new IllegalStateException("the server answered for another number of segments");
        }
        segments.forEach((partition, segment) -> {
            long offset = answer.getLong();
            for (Publisher.Receipt receipt : segment.receipts) {
                receipt.stored(partition, new Position(incarnation, offset++));
            }
        });
    }

    /** Tells every receipt the same. */
    void each(Consumer<Publisher.Receipt> fate) {
        segments.values().forEach(segment -> segment.receipts.forEach(fate));
    }

    private static final class Segment {
        private final ChunkBuilder builder;
        private final List<Publisher.Receipt> receipts = new ArrayList<>();
        private PayloadChunk chunk;

        private Segment(int partition) {
            builder = new ChunkBuilder(partition, SEGMENT_BYTES);
        }
    }
}
