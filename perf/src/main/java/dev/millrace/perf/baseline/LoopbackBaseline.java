package dev.millrace.perf.baseline;

import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.perf.result.BaselineFigure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;

/** What TCP over loopback does between two threads: the way that every byte between the parts of a stack goes. */
final class LoopbackBaseline implements AutoCloseable {
    private static final int TRIP_BYTES = 64;
    private static final int WARM_UP_TRIPS = 2_000;
    private static final int TRIPS_MOST = 5_000;
    private static final int TRIPS_SECONDS = 1;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final long BLOCKS_NANOS = 1_000_000_000L;
    private static final int ANSWER_MILLIS = 5_000;
    private static final long JOIN_MILLIS = 5_000;

    private final ServerSocket server;
    private final Thread thread;

    private LoopbackBaseline() throws IOException {
        server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        server.setSoTimeout(ANSWER_MILLIS);
        thread = new Thread(this::serve, "baseline-loopback");
        thread.setDaemon(true);
        thread.start();
    }

    static Map<BaselineFigure, Double> measure() {
        try (LoopbackBaseline loopback = new LoopbackBaseline()) {
            Timings trips = loopback.trips();
            return Map.of(
                    BaselineFigure.ROUND_TRIP_P50,
                    trips.micros(0.5),
                    BaselineFigure.ROUND_TRIP_P99,
                    trips.micros(0.99),
                    BaselineFigure.LOOPBACK,
                    loopback.mebibytesPerSecond());
        } catch (IOException e) {
            throw new EnvironmentException("cannot measure the loopback network: " + e.getMessage(), e);
        }
    }

    /** The first connection gets back what it sends; of the second all is read, and the end is answered by one byte. */
    private void serve() {
        try (Socket echoed = accept()) {
            byte[] bytes = new byte[TRIP_BYTES];
            InputStream in = echoed.getInputStream();
            while (in.readNBytes(bytes, 0, TRIP_BYTES) == TRIP_BYTES) {
                echoed.getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            // The other end says what is wrong: it gets no answer.
            return;
        }
        try (Socket drained = accept()) {
            drained.getInputStream().transferTo(OutputStream.nullOutputStream());
            drained.getOutputStream().write(1);
        } catch (IOException e) {
            // Likewise.
        }
    }

    private Socket accept() throws IOException {
        return set(server.accept());
    }

    private Socket connect() throws IOException {
        return set(new Socket(server.getInetAddress(), server.getLocalPort()));
    }

    private static Socket set(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(ANSWER_MILLIS);
        return socket;
    }

    private Timings trips() throws IOException {
        try (Socket socket = connect()) {
            // The first ones measure the just-in-time compiler.
            trips(socket, new Timings(WARM_UP_TRIPS, TRIPS_SECONDS));
            return trips(socket, new Timings(TRIPS_MOST, TRIPS_SECONDS));
        }
    }

    private static Timings trips(Socket socket, Timings timings) throws IOException {
        byte[] bytes = new byte[TRIP_BYTES];
        while (timings.wantsMore()) {
            long begin = System.nanoTime();
            socket.getOutputStream().write(bytes);
            if (socket.getInputStream().readNBytes(bytes, 0, TRIP_BYTES) < TRIP_BYTES) {
                throw new IOException("the connection was closed");
            }
            timings.add(System.nanoTime() - begin);
        }
        return timings;
    }

    private double mebibytesPerSecond() throws IOException {
        try (Socket socket = connect()) {
            byte[] block = new byte[BLOCK_BYTES];
            long bytes = 0;
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < BLOCKS_NANOS) {
                socket.getOutputStream().write(block);
                bytes += BLOCK_BYTES;
            }
            socket.shutdownOutput();
            // What is still on the way counts when it has arrived.
            if (socket.getInputStream().read() < 0) {
                throw new IOException("the connection was closed");
            }
            return bytes / (double) (1 << 20) / ((System.nanoTime() - begin) / 1e9);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
