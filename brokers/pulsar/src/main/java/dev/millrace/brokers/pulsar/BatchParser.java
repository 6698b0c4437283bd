package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.reader.ChunkBuilder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Takes a batch apart without an object per message. A batch is, for each message: the size of its metadata (int32, big-endian),
 * the metadata (protobuf {@code SingleMessageMetadata}), the payload. Reusable; not thread-safe.
 */
final class BatchParser {
    private static final int PAYLOAD_SIZE = 3;
    private static final int COMPACTED_OUT = 4;
    private static final int NULL_VALUE = 9;

    private static final int WIRE_VARINT = 0;
    private static final int WIRE_FIXED64 = 1;
    private static final int WIRE_BYTES = 2;
    private static final int WIRE_FIXED32 = 5;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private byte[] batch = new byte[0];
    private int at;
    private int payloadSize;
    private boolean compactedOut;
    private boolean nullValue;

    /**
     * Adds the messages {@code from} (inclusive) to {@code to} (exclusive) to the chunk; what a compaction has taken out of the
     * batch is left out, a message without a value is an empty payload.
     *
     * @param start where the batch begins in the chunk, whose last bytes are its own
     * @throws IndexOutOfBoundsException the batch is shorter than it says
     * @throws IllegalArgumentException it is not a batch
     */
    void parse(int start, int from, int to, ChunkBuilder chunk, long timestamp, long ledger, long entryId) {
        at = start;
        batch = chunk.bytes();
        int end = chunk.size();
        for (int index = 0; index < to; index++) {
            int metadataSize = metadataSize(end);
            if (metadataSize < 0 || metadataSize > end - at) {
                throw new IllegalArgumentException(
                        "message " + index + " of the batch has metadata of " + metadataSize + " bytes");
            }
            metadata(at + metadataSize);
            if (payloadSize < 0 || payloadSize > end - at) {
                throw new IllegalArgumentException(
                        "message " + index + " of the batch has a payload of " + payloadSize + " bytes");
            }
            if (index >= from && !compactedOut) {
                chunk.span(
                        at,
                        nullValue ? at : at + payloadSize,
                        timestamp,
                        ledger,
                        PulsarPositions.minor(entryId, index));
            }
            at += payloadSize;
        }
    }

    private int metadataSize(int end) {
        if (end - at < Integer.BYTES) {
            // The array goes on behind the batch.
            throw new IndexOutOfBoundsException("the batch ends within a message");
        }
        int size = (int) INT.get(batch, at);
        at += Integer.BYTES;
        return size;
    }

    private void metadata(int end) {
        payloadSize = -1;
        compactedOut = false;
        nullValue = false;
        while (at < end) {
            int tag = (int) varint();
            switch (tag & 7) {
                case WIRE_VARINT -> field(tag >>> 3, varint());
                case WIRE_BYTES -> skip((int) varint());
                case WIRE_FIXED64 -> skip(Long.BYTES);
                case WIRE_FIXED32 -> skip(Integer.BYTES);
                default ->
                    throw new IllegalArgumentException("a message's metadata has a field of wire type " + (tag & 7));
            }
        }
        if (at != end) {
            throw new IllegalArgumentException("a message's metadata does not end where it says");
        }
    }

    private void skip(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a message's metadata has a field of " + bytes + " bytes");
        }
        at += bytes;
    }

    private void field(int number, long value) {
        switch (number) {
            case PAYLOAD_SIZE -> payloadSize = (int) value;
            case COMPACTED_OUT -> compactedOut = value != 0;
            case NULL_VALUE -> nullValue = value != 0;
            default -> {
                // Keys, properties, times: nothing that the job looks at.
            }
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte b = batch[at++];
            value |= (b & 0x7FL) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a message's metadata has a number of more than 10 bytes");
    }
}
