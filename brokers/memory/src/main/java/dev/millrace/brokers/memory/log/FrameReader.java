package dev.millrace.brokers.memory.log;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads frames; keeps a half frame over a time-out, so that a silent peer loses nothing. Not thread-safe. */
public final class FrameReader {
    private static final int HTTP_GET = 0x47455420;

    private final InputStream in;
    private final byte[] header = new byte[4];
    private int headerHave;
    private byte[] frame = new byte[0];
    private int have;

    public FrameReader(InputStream in) {
        this.in = in;
    }

    /**
     * The next frame without its length, to be used before the next call; null when the socket's time-out passed before it was
     * complete; an empty one for the beginning of a plain HTTP request.
     */
    public ByteBuffer next() throws IOException {
        try {
            while (headerHave < 4) {
                headerHave += some(header, headerHave, 4 - headerHave);
            }
            int length = ByteBuffer.wrap(header).getInt();
            if (length == HTTP_GET) {
                return ByteBuffer.allocate(0);
            }
            if (length < 1 || length > Wire.FRAME_BYTES_MAX) {
                throw new IOException("a frame of " + length + " bytes is no frame of this protocol");
            }
            if (have == 0 && (frame.length < length || frame.length > 4L * length + (1 << 20))) {
                frame = new byte[length];
            }
            while (have < length) {
                have += some(frame, have, length - have);
            }
            headerHave = 0;
            have = 0;
            return ByteBuffer.wrap(frame, 0, length);
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private int some(byte[] target, int offset, int length) throws IOException {
        int read = in.read(target, offset, length);
        if (read < 0) {
            throw new EOFException("the peer has closed the connection");
        }
        return read;
    }

    /** Reads a text of a frame. */
    public static String text(ByteBuffer frame) {
        byte[] bytes = new byte[Short.toUnsignedInt(frame.getShort())];
        frame.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
