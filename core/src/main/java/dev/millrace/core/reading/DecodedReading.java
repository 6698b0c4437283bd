package dev.millrace.core.reading;

import java.nio.charset.StandardCharsets;

/**
 * What a job is made of in a reading: a row of {@link DecodedReadings}, and what that row holds now. Not thread-safe.
 */
public final class DecodedReading {
    private final DecodedReadings all;
    private final int row;

    DecodedReading(DecodedReadings all, int row) {
        this.all = all;
        this.row = row;
    }

    DecodedReadings all() {
        return all;
    }

    int row() {
        return row;
    }

    void number(int slot, long value) {
        all.numbers[row * DecodedReadings.NUMBERS + slot] = value;
    }

    void measure(int ordinal, double value) {
        all.measures[row * Measure.COUNT + ordinal] = value;
    }

    private long number(int slot) {
        return all.numbers[row * DecodedReadings.NUMBERS + slot];
    }

    /** The array that holds the device's name; read only. */
    public byte[] deviceBytes() {
        return all.devices.arrays[row];
    }

    /** The index of the name's first byte. */
    public int deviceStart() {
        return all.devices.starts[row];
    }

    /** The name's length, bytes of valid UTF-8. */
    public int deviceLength() {
        return all.devices.lengths[row];
    }

    /** The device's name, made anew with each call. */
    public String deviceId() {
        return new String(deviceBytes(), deviceStart(), deviceLength(), StandardCharsets.UTF_8);
    }

    /** The array that holds the event type, where the decoder was told to read it; read only. */
    public byte[] typeBytes() {
        return all.types.arrays[row];
    }

    /** The index of the event type's first byte. */
    public int typeStart() {
        return all.types.starts[row];
    }

    /** The event type's length, bytes of valid UTF-8; 0 when it has none. */
    public int typeLength() {
        return all.types.lengths[row];
    }

    public long sequence() {
        return number(DecodedReadings.SEQUENCE);
    }

    /** Epoch milliseconds. */
    public long eventTime() {
        return number(DecodedReadings.EVENT_TIME);
    }

    /** Epoch microseconds. */
    public long intendedSendTime() {
        return number(DecodedReadings.INTENDED_SEND_TIME);
    }

    /** {@link Status#ordinal()}. */
    public int status() {
        return (int) number(DecodedReadings.STATUS);
    }

    public int errorCount() {
        return (int) number(DecodedReadings.ERROR_COUNT);
    }

    public long packetsSent() {
        return number(DecodedReadings.PACKETS_SENT);
    }

    public long packetsReceived() {
        return number(DecodedReadings.PACKETS_RECEIVED);
    }

    public long bytesSent() {
        return number(DecodedReadings.BYTES_SENT);
    }

    public long bytesReceived() {
        return number(DecodedReadings.BYTES_RECEIVED);
    }

    /** The value of the measure with that {@link Measure#ordinal()}. */
    public double measure(int ordinal) {
        return all.measures[row * Measure.COUNT + ordinal];
    }
}
