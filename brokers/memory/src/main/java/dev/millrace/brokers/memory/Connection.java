package dev.millrace.brokers.memory;

import dev.millrace.brokers.memory.log.FrameReader;
import dev.millrace.brokers.memory.log.FrameWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** One connection to the server. Used by one thread, except {@link #close}. */
final class Connection implements AutoCloseable {
    private static final int CONNECT_MILLIS = 3_000;
    private static final int SOCKET_BUFFER_BYTES = 1 << 20;

    private final Socket socket = new Socket();
    private final OutputStream out;
    private final FrameReader frames;

    Connection(String address) throws IOException {
        String hostAndPort = address.equals(MemoryOptions.IN_PROCESS) ? InProcess.sharedAddress() : address;
        int colon = hostAndPort.lastIndexOf(':');
        try {
            socket.setTcpNoDelay(true);
            socket.setReceiveBufferSize(SOCKET_BUFFER_BYTES);
            socket.connect(
                    new InetSocketAddress(
                            hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1))),
                    CONNECT_MILLIS);
            out = socket.getOutputStream();
            frames = new FrameReader(socket.getInputStream());
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    void send(FrameWriter frame) throws IOException {
        frame.send(out);
    }

    /** The next answer, to be used before the next call; null when it is not complete within the bound. */
    ByteBuffer answer(long boundMillis) throws IOException {
        socket.setSoTimeout((int) Math.max(1, boundMillis));
        return frames.next();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing can be done about a socket that does not close; the peer notices the end of this process.
            return;
        }
    }
}
