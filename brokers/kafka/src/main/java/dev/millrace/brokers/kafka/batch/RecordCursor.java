package dev.millrace.brokers.kafka.batch;

/**
 * Goes over the records of a batch of format 2, where they lie, and makes nothing for any of them. A record is: its length,
 * attributes, timestamp and offset less those of the batch, key, value, headers; numbers are zigzag varints, and a length of -1
 * stands for null (Kafka's protocol guide, "Record"). Not thread-safe.
 */
final class RecordCursor {
    private final byte[] bytes;
    private final int limit;
    private int at;
    private long timestampDelta;
    private int offsetDelta;
    private int valueStart;
    private int valueEnd;

    /** @param start the index of the first record; none goes to {@code limit} or beyond */
    RecordCursor(byte[] bytes, int start, int limit) {
        this.bytes = bytes;
        this.at = start;
        this.limit = limit;
    }

    /**
     * Goes to the next record, the first one at first.
     *
     * @throws IndexOutOfBoundsException if a length in it leads out of it or out of the batch
     */
    void next() {
        int length = varint();
        int end = at + length;
        if (length < 0 || end < at || end > limit) {
            throw new IndexOutOfBoundsException("a record of " + length + " bytes where " + (limit - at) + " are left");
        }
        // No attribute of a record is in use.
        at++;
        timestampDelta = varlong();
        offsetDelta = varint();
        int key = varint();
        at += Math.max(0, key);
        int value = varint();
        valueStart = at;
        valueEnd = at + Math.max(0, value);
        if (valueEnd < valueStart || valueEnd > end || valueStart < end - length) {
            throw new IndexOutOfBoundsException(
                    "a key of " + key + " bytes and a value of " + value + " in a record of " + length);
        }
        at = end;
    }

    /** Milliseconds behind the batch's base timestamp. */
    long timestampDelta() {
        return timestampDelta;
    }

    int offsetDelta() {
        return offsetDelta;
    }

    /** The index of the value's first byte. */
    int valueStart() {
        return valueStart;
    }

    /** The index just after the value; the same as its start if it has no byte or is null. */
    int valueEnd() {
        return valueEnd;
    }

    private int varint() {
        byte first = bytes[at++];
        if (first >= 0) {
            return first >>> 1 ^ -(first & 1);
        }
        byte second = bytes[at++];
        if (second >= 0) {
            int two = first & 0x7f | second << 7;
            return two >>> 1 ^ -(two & 1);
        }
        at -= 2;
        return (int) varlong();
    }

    private long varlong() {
        long raw = 0;
        int shift = 0;
        byte part;
        do {
            if (shift > 63) {
                throw new IndexOutOfBoundsException("a number of more than ten bytes");
            }
            part = bytes[at++];
            raw |= (long) (part & 0x7f) << shift;
            shift += 7;
        } while (part < 0);
        return raw >>> 1 ^ -(raw & 1);
    }
}
