package dev.millrace.connectors.testkit.broken;

import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection to the broker's address that says nothing: when it dies, those of the clients have died with it. */
final class Canary implements AutoCloseable {
    private static final int BOUND_MILLIS = 3_000;

    private final InetSocketAddress address;
    private Socket socket;

    Canary(Options options) {
        String[] parts = options.get("address").orElseThrow().split(":", 2);
        address = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
        socket = connect();
    }

    private Socket connect() {
        Socket open = new Socket();
        try {
            open.connect(address, BOUND_MILLIS);
            open.setSoTimeout(1);
            return open;
        } catch (IOException e) {
            // As good as dead; found so at the next look.
            return open;
        }
    }

    /** Whether the connection died since the last look; a new one takes its place. */
    boolean hasDied() {
        try {
            if (socket.getInputStream().read() >= 0) {
                return false;
            }
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // Reset, or never connected.
            close();
        }
        close();
        socket = connect();
        return true;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
