package dev.millrace.core.reading;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes readings as plain Avro binary, in the field order of {@link ReadingSchema}, back to back into one buffer that is
 * used again. Not thread-safe.
 */
public final class ReadingEncoder {
    private byte[] buffer = new byte[512];
    private int length;

    /** Empties the buffer. */
    public void clear() {
        length = 0;
    }

    /** The bytes written since {@link #clear()}: valid from 0 to {@link #length()}, until the next call that writes. */
    public byte[] buffer() {
        return buffer;
    }

    public int length() {
        return length;
    }

    /** A copy of what was written since {@link #clear()}. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    /** This reading alone, as a new array; what was in the buffer before is gone. */
    public byte[] encode(Reading reading) {
        clear();
        append(reading);
        return toByteArray();
    }

    /** Appends one reading and returns {@link #length()}, which is the index just after it. */
    public int append(Reading reading) {
        text(reading.deviceId);
        text(reading.deviceType);
        text(reading.customerId);
        text(reading.siteId);
        number(reading.sequence);
        number(reading.eventTime);
        number(reading.intendedSendTime);
        real(reading.latitude);
        real(reading.longitude);
        real(reading.altitude);
        for (int i = 0; i < Measure.COUNT; i++) {
            real(reading.measures[i]);
        }
        room(1);
        buffer[length++] = (byte) (reading.motion ? 1 : 0);
        number(reading.status);
        number(reading.errorCount);
        number(reading.packetsSent);
        number(reading.packetsReceived);
        number(reading.bytesSent);
        number(reading.bytesReceived);
        text(reading.firmware);
        text(reading.eventType);
        number(reading.filler.length);
        raw(reading.filler);
        return length;
    }

    private void text(String text) {
        int chars = text.length();
        room(5 + chars);
        int start = length;
        number(chars);
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                length = start;
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                number(utf8.length);
                raw(utf8);
                return;
            }
            buffer[length++] = (byte) c;
        }
    }

    private void raw(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    private void number(long value) {
        room(10);
        long zigzag = (value << 1) ^ (value >> 63);
        while ((zigzag & ~0x7FL) != 0) {
            buffer[length++] = (byte) (zigzag & 0x7F | 0x80);
            zigzag >>>= 7;
        }
        buffer[length++] = (byte) zigzag;
    }

    private void real(double value) {
        room(8);
        long bits = Double.doubleToRawLongBits(value);
        for (int i = 0; i < 8; i++) {
            buffer[length++] = (byte) (bits >>> 8 * i);
        }
    }

    private void room(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
