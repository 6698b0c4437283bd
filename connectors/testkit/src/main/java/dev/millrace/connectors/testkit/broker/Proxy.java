package dev.millrace.connectors.testkit.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy on loopback in front of a server, whose connections can be cut. Two threads for each connection, at most
 * {@value #CONNECTIONS_MAX} connections; closing it ends all threads. Thread-safe.
 */
final class Proxy implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 64;
    private static final int CONNECT_MILLIS = 3_000;
    private static final long JOIN_MILLIS = 5_000;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final int targetPort;
    private final ServerSocket listening;
    private final Thread accepting;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicLong forwarded = new AtomicLong();
    private volatile boolean refusing;

    /** Listens at once on a free port; {@code targetPort} is connected to with each client that comes. */
    Proxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            listening = new ServerSocket(0, CONNECTIONS_MAX, LOOPBACK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = thread("accept", this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    String address() {
        return "127.0.0.1:" + port();
    }

    /** Bytes that went through in both directions. */
    long forwardedBytes() {
        return forwarded.get();
    }

    /** How many are open. */
    int connections() {
        return links.size();
    }

    /** Resets every connection that is open; how many those were. The next ones are let through. */
    int cut() {
        List<Link> cut = List.copyOf(links);
        cut.forEach(Link::reset);
        return cut.size();
    }

    /** While this holds every connection that is made is reset at once. */
    void refuse(boolean refuse) {
        refusing = refuse;
    }

    private Thread thread(String what, Runnable run) {
        Thread thread = new Thread(run, "proxy-" + port() + "-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Link link = new Link(listening.accept());
                links.add(link);
                // Closed in between: nobody else would end it.
                if (refusing || links.size() > CONNECTIONS_MAX || listening.isClosed()) {
                    link.reset();
                } else {
                    link.start();
                }
            } catch (IOException e) {
                // The listening socket was closed, or one client went away while it came: the loop's condition tells.
                continue;
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            cut();
            accepting.join(JOIN_MILLIS);
            for (Link link : links) {
                link.reset();
                link.join();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One client and the server's side of it; ends as a whole when either side ends. */
    private final class Link {
        private final Socket client;
        private final Socket server = new Socket();
        private volatile Thread up;
        private volatile Thread down;

        private Link(Socket client) {
            this.client = client;
        }

        private void start() {
            up = thread("up", this::run);
        }

        private void run() {
            try {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                server.connect(new InetSocketAddress(LOOPBACK, targetPort), CONNECT_MILLIS);
                down = thread("down", () -> copy(server, client));
                copy(client, server);
                down.join();
            } catch (IOException e) {
                // The server is not there: to the client that is a connection that ends.
                reset();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                reset();
                links.remove(this);
            }
        }

        private void copy(Socket from, Socket to) {
            byte[] buffer = new byte[1 << 16];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    forwarded.addAndGet(read);
                    out.write(buffer, 0, read);
                }
            } catch (IOException e) {
                // Cut, here or by one of the two: the other side is to see it, too.
                reset();
            } finally {
                reset();
            }
        }

        /** Closes both sides without a farewell. */
        private void reset() {
            for (Socket socket : List.of(client, server)) {
                try {
                    socket.setSoLinger(true, 0);
                    socket.close();
                } catch (IOException e) {
                    // Closed already.
                    continue;
                }
            }
            if (up == null) {
                links.remove(this);
            }
        }

        private void join() throws InterruptedException {
            if (up != null) {
                up.join(JOIN_MILLIS);
            }
        }
    }
}
