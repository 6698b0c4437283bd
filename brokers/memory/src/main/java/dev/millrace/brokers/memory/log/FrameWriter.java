package dev.millrace.brokers.memory.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds frames in a buffer that grows and is used again. Not thread-safe. */
public final class FrameWriter {
    private static final int KEPT_BYTES = 8 << 20;

    private ByteBuffer buffer = ByteBuffer.allocate(1 << 12);

    /** Begins a frame. */
    public FrameWriter begin(byte kind) {
        if (buffer.capacity() > KEPT_BYTES) {
            buffer = ByteBuffer.allocate(KEPT_BYTES);
        }
        buffer.clear();
        buffer.putInt(0).put(kind);
        return this;
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(buffer.position() + bytes, buffer.capacity() * 2));
            larger.put(buffer.flip());
            buffer = larger;
        }
        return buffer;
    }

    public FrameWriter number(int value) {
        room(4).putInt(value);
        return this;
    }

    public FrameWriter number(long value) {
        room(8).putLong(value);
        return this;
    }

    public FrameWriter text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, Short.MAX_VALUE);
        room(2 + length).putShort((short) length).put(bytes, 0, length);
        return this;
    }

    public FrameWriter bytes(byte[] bytes, int offset, int length) {
        room(length).put(bytes, offset, length);
        return this;
    }

    /** {@code count} numbers from {@code from} on, each less {@code minus}. */
    public FrameWriter ints(int[] values, int from, int count, int minus) {
        ByteBuffer target = room(count * 4);
        for (int i = from; i < from + count; i++) {
            target.putInt(values[i] - minus);
        }
        return this;
    }

    public FrameWriter longs(long[] values, int from, int count) {
        ByteBuffer target = room(count * 8);
        target.asLongBuffer().put(values, from, count);
        target.position(target.position() + count * 8);
        return this;
    }

    /** Where the next number will stand, for {@link #patch}. */
    public int position() {
        return buffer.position();
    }

    /** Writes a number where one was written before. */
    public void patch(int position, int value) {
        buffer.putInt(position, value);
    }

    /** Sends the frame. */
    public void send(OutputStream out) throws IOException {
        buffer.putInt(0, buffer.position() - 4);
        out.write(buffer.array(), 0, buffer.position());
        out.flush();
    }
}
