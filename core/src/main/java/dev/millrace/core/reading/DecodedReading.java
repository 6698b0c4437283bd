package dev.millrace.core.reading;

import java.nio.charset.StandardCharsets;

/**
 * What a job is made of in a reading, as {@link ReadingDecoder} found it. Used again for every payload of a stream: its
 * device may be a span of the payload's own array, so it is good only while that is. Not thread-safe.
 */
public final class DecodedReading {
    static final int SEQUENCE = 0;
    static final int EVENT_TIME = 1;
    static final int INTENDED_SEND_TIME = 2;
    static final int STATUS = 3;
    static final int ERROR_COUNT = 4;
    static final int PACKETS_SENT = 5;
    static final int PACKETS_RECEIVED = 6;
    static final int BYTES_SENT = 7;
    static final int BYTES_RECEIVED = 8;

    /** Indexed by the constants above. */
    final long[] numbers = new long[9];

    final double[] measures = new double[Measure.COUNT];

    private byte[] deviceBytes = new byte[0];
    private byte[] copy = new byte[0];
    private int deviceStart;
    private int deviceLength;
    private byte[] typeBytes = new byte[0];
    private int typeStart;
    private int typeLength;

    void device(byte[] bytes, int start, int length) {
        deviceBytes = bytes;
        deviceStart = start;
        deviceLength = length;
    }

    /** As {@link #device}, with a copy of its own. */
    void deviceCopy(byte[] bytes, int length) {
        if (copy.length < length) {
            copy = new byte[length];
        }
        System.arraycopy(bytes, 0, copy, 0, length);
        device(copy, 0, length);
    }

    void eventType(byte[] bytes, int start, int length) {
        typeBytes = bytes;
        typeStart = start;
        typeLength = length;
    }

    /** The array that holds the device's name; read only. */
    public byte[] deviceBytes() {
        return deviceBytes;
    }

    /** The index of the name's first byte. */
    public int deviceStart() {
        return deviceStart;
    }

    /** The name's length, bytes of valid UTF-8. */
    public int deviceLength() {
        return deviceLength;
    }

    /** The device's name, made anew with each call. */
    public String deviceId() {
        return new String(deviceBytes, deviceStart, deviceLength, StandardCharsets.UTF_8);
    }

    /** The array that holds the event type, where the decoder was told to read it; read only. */
    public byte[] typeBytes() {
        return typeBytes;
    }

    /** The index of the event type's first byte. */
    public int typeStart() {
        return typeStart;
    }

    /** The event type's length, bytes of valid UTF-8; 0 when it has none. */
    public int typeLength() {
        return typeLength;
    }

    public long sequence() {
        return numbers[SEQUENCE];
    }

    /** Epoch milliseconds. */
    public long eventTime() {
        return numbers[EVENT_TIME];
    }

    /** Epoch microseconds. */
    public long intendedSendTime() {
        return numbers[INTENDED_SEND_TIME];
    }

    /** {@link Status#ordinal()}. */
    public int status() {
        return (int) numbers[STATUS];
    }

    public int errorCount() {
        return (int) numbers[ERROR_COUNT];
    }

    public long packetsSent() {
        return numbers[PACKETS_SENT];
    }

    public long packetsReceived() {
        return numbers[PACKETS_RECEIVED];
    }

    public long bytesSent() {
        return numbers[BYTES_SENT];
    }

    public long bytesReceived() {
        return numbers[BYTES_RECEIVED];
    }

    /** The value of the measure with that {@link Measure#ordinal()}. */
    public double measure(int ordinal) {
        return measures[ordinal];
    }
}
