package dev.millrace.core.reading;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Avro binary from a span of an array. Avro's own binary decoder allocates what a length says before it looks whether so
 * many bytes are there, and copies near the end; this one checks first and copies nothing. Whatever the bytes are, it
 * reads inside its span only and throws nothing but {@link IOException}.
 */
final class SpanDecoder extends Decoder {
    private byte[] bytes = new byte[0];
    private int at;
    private int end;

    void span(byte[] newBytes, int start, int newEnd) {
        bytes = newBytes;
        at = start;
        end = newEnd;
    }

    int remaining() {
        return end - at;
    }

    private int take(int count) throws EOFException {
        if (count > end - at) {
            throw new EOFException("ends within a field");
        }
        int start = at;
        at += count;
        return start;
    }

    /** A length or a count; nothing can be longer than what is left. */
    private int length() throws IOException {
        long length = readLong();
        if (length < 0 || length > end - at) {
            throw new IOException("length " + length + " where " + (end - at) + " bytes are left");
        }
        return (int) length;
    }

    @Override
    public void readNull() {
        // takes no bytes
    }

    @Override
    public boolean readBoolean() throws IOException {
        int value = bytes[take(1)];
        if (value != 0 && value != 1) {
            throw new IOException("boolean " + value);
        }
        return value == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new IOException("int " + value);
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long zigzag = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte next = bytes[take(1)];
            if (shift == 63 && (next & 0xFE) != 0) {
                break;
            }
            zigzag |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return zigzag >>> 1 ^ -(zigzag & 1);
            }
        }
        throw new IOException("number of more than 64 bits");
    }

    @Override
    public float readFloat() throws IOException {
        int start = take(4);
        int bits = 0;
        for (int i = 3; i >= 0; i--) {
            bits = bits << 8 | bytes[start + i] & 0xFF;
        }
        return Float.intBitsToFloat(bits);
    }

    @Override
    public double readDouble() throws IOException {
        int start = take(8);
        long bits = 0;
        for (int i = 7; i >= 0; i--) {
            bits = bits << 8 | bytes[start + i] & 0xFF;
        }
        return Double.longBitsToDouble(bits);
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        int length = length();
        Utf8 text = old == null ? new Utf8() : old;
        text.setByteLength(length);
        System.arraycopy(bytes, take(length), text.getBytes(), 0, length);
        return text;
    }

    @Override
    public String readString() throws IOException {
        return readString(null).toString();
    }

    @Override
    public void skipString() throws IOException {
        take(length());
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        int length = length();
        ByteBuffer buffer = old != null && old.capacity() >= length ? old.clear() : ByteBuffer.allocate(length);
        buffer.put(bytes, take(length), length);
        return buffer.flip();
    }

    @Override
    public void skipBytes() throws IOException {
        take(length());
    }

    @Override
    public void readFixed(byte[] target, int start, int length) throws IOException {
        System.arraycopy(bytes, take(length), target, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        take(length);
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        long items = readLong();
        if (items < 0) {
            items = -items;
            length();
        }
        // Items without bytes would make this a count to loop over for years.
        if (items < 0 || items > end - at) {
            throw new IOException(items + " items where " + (end - at) + " bytes are left");
        }
        return items;
    }

    @Override
    public long arrayNext() throws IOException {
        return readArrayStart();
    }

    @Override
    public long skipArray() throws IOException {
        long items = readLong();
        while (items < 0) {
            take(length());
            items = readLong();
        }
        if (items > end - at) {
            throw new IOException(items + " items where " + (end - at) + " bytes are left");
        }
        return items;
    }

    @Override
    public long readMapStart() throws IOException {
        return readArrayStart();
    }

    @Override
    public long mapNext() throws IOException {
        return readArrayStart();
    }

    @Override
    public long skipMap() throws IOException {
        return skipArray();
    }
}
