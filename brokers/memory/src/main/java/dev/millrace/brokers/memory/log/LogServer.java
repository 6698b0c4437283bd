package dev.millrace.brokers.memory.log;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Listens on loopback and gives each connection a session and a thread. Thread-safe. */
public final class LogServer implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 2_000;
    private static final long CLOSE_BOUND_MILLIS = 10_000;

    private final ServerSocket listener = new ServerSocket();
    private final Topics topics;
    private final Gate gate = new Gate();
    private final Map<Thread, Socket> sessions = new ConcurrentHashMap<>();
    private final Thread acceptor = new Thread(this::accept, "memory-accept");

    /** What a topic comes to before retention takes anything; 0 of one without a bound on bytes, which is promised none. */
    public static long mostBytes(long retentionBytes, int partitions) {
        return Topic.mostBytes(retentionBytes, partitions);
    }

    /**
     * @param port 0 takes any
     * @param maxBytes what all topics together may keep
     */
    public LogServer(int port, long maxBytes) throws IOException {
        topics = new Topics(maxBytes);
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
        acceptor.setDaemon(true);
        acceptor.start();
    }

    public int port() {
        return listener.getLocalPort();
    }

    public boolean isOpen() {
        return !listener.isClosed();
    }

    /** Says nothing more until {@link #resume}. */
    public void pause() {
        gate.set(false);
    }

    public void resume() {
        gate.set(true);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                if (sessions.size() >= CONNECTIONS_MAX) {
                    socket.close();
                    continue;
                }
                serve(socket);
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    System.out.println("a connection was not accepted: " + e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        Session session = new Session(socket, topics, gate);
        Thread thread = new Thread(
                () -> {
                    try {
                        session.run();
                    } finally {
                        sessions.remove(Thread.currentThread());
                    }
                },
                "memory-session-" + socket.getPort());
        thread.setDaemon(true);
        sessions.put(thread, socket);
        thread.start();
    }

    /** Ends everything; the data is gone. */
    @Override
    public void close() throws IOException {
        listener.close();
        for (Map.Entry<Thread, Socket> session : sessions.entrySet()) {
            session.getValue().close();
            session.getKey().interrupt();
        }
        try {
            acceptor.join(CLOSE_BOUND_MILLIS);
            for (Thread thread : sessions.keySet()) {
                thread.join(CLOSE_BOUND_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
