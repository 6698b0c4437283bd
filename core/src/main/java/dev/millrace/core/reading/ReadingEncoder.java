package dev.millrace.core.reading;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes readings as plain Avro binary, in the field order of {@link ReadingSchema}, back to back into one buffer that is
 * used again. Not thread-safe.
 */
public final class ReadingEncoder {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** UTF-16 to UTF-8: a pair of chars takes four bytes, a single one up to three. */
    private static final int UTF8_MOST = 3;
    /** Nine numbers, the lengths of six texts and of the filler, doubles and the one boolean. */
    private static final int FIXED_MOST = 10 * (9 + 6 + 1) + Double.BYTES * (3 + Measure.COUNT) + 1;

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
        room(mostBytes(reading));
        byte[] into = buffer;
        int at = length;
        at = text(into, at, reading.deviceId);
        at = text(into, at, reading.deviceType);
        at = text(into, at, reading.customerId);
        at = text(into, at, reading.siteId);
        at = number(into, at, reading.sequence);
        at = number(into, at, reading.eventTime);
        at = number(into, at, reading.intendedSendTime);
        at = real(into, at, reading.latitude);
        at = real(into, at, reading.longitude);
        at = real(into, at, reading.altitude);
        for (int i = 0; i < Measure.COUNT; i++) {
            at = real(into, at, reading.measures[i]);
        }
        into[at++] = (byte) (reading.motion ? 1 : 0);
        at = number(into, at, reading.status);
        at = number(into, at, reading.errorCount);
        at = number(into, at, reading.packetsSent);
        at = number(into, at, reading.packetsReceived);
        at = number(into, at, reading.bytesSent);
        at = number(into, at, reading.bytesReceived);
        at = text(into, at, reading.firmware);
        at = text(into, at, reading.eventType);
        at = number(into, at, reading.filler.length);
        System.arraycopy(reading.filler, 0, into, at, reading.filler.length);
        length = at + reading.filler.length;
        return length;
    }

    /** So that there is one look at the room for each reading, not one for each of its fields. */
    private static int mostBytes(Reading reading) {
        int chars = reading.deviceId.length()
                + reading.deviceType.length()
                + reading.customerId.length()
                + reading.siteId.length()
                + reading.firmware.length()
                + reading.eventType.length();
        return FIXED_MOST + UTF8_MOST * chars + reading.filler.length;
    }

    private static int text(byte[] into, int start, String text) {
        int chars = text.length();
        int at = number(into, start, chars);
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                at = number(into, start, utf8.length);
                System.arraycopy(utf8, 0, into, at, utf8.length);
                return at + utf8.length;
            }
            into[at++] = (byte) c;
        }
        return at;
    }

    private static int number(byte[] into, int start, long value) {
        int at = start;
        long zigzag = (value << 1) ^ (value >> 63);
        while ((zigzag & ~0x7FL) != 0) {
            into[at++] = (byte) (zigzag & 0x7F | 0x80);
            zigzag >>>= 7;
        }
        into[at++] = (byte) zigzag;
        return at;
    }

    private static int real(byte[] into, int at, double value) {
        LONGS.set(into, at, Double.doubleToRawLongBits(value));
        return at + Long.BYTES;
    }

    private void room(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
