package dev.millrace.deploy.kubernetes.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** As much of a registry as a push and a pull need, in memory and without TLS, which it hangs up on; or one that lets nobody in. */
final class LoopbackRegistry implements AutoCloseable {
    private final HttpServer server;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerSocket front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads =
            Executors.newCachedThreadPool(task -> new Thread(task, "loopback-registry"));
    private final boolean open;
    final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final Map<String, byte[]> uploads = new ConcurrentHashMap<>();
    private final AtomicInteger upload = new AtomicInteger();

    LoopbackRegistry(boolean open) throws IOException {
        this.open = open;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        threads.submit(this::accept);
    }

    String host() {
        return "127.0.0.1:" + front.getLocalPort();
    }

    /** The JDK's server would wait for the end of a line that TLS never sends. */
    private Void accept() throws IOException {
        while (!front.isClosed()) {
            Socket client = front.accept();
            threads.submit(() -> join(client));
        }
        return null;
    }

    private Void join(Socket client) throws IOException {
        try (client) {
            int first = client.getInputStream().read();
            if (first == TLS_HANDSHAKE || first < 0) {
                return null;
            }
            try (Socket back = new Socket(
                    InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
                back.getOutputStream().write(first);
                threads.submit(() -> back.getInputStream().transferTo(client.getOutputStream()));
                client.getInputStream().transferTo(back.getOutputStream());
            }
        }
        return null;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/v2/")) {
                exchange.sendResponseHeaders(200, -1);
            } else if (!open) {
                exchange.sendResponseHeaders(403, -1);
            } else if (path.contains("/manifests/")) {
                manifest(exchange, path, body);
            } else {
                blob(exchange, path, body);
            }
        }
    }

    private void manifest(HttpExchange exchange, String path, byte[] body) throws IOException {
        if (exchange.getRequestMethod().equals("PUT")) {
            manifests.put(path, body);
            // By its digest too, which is how a list names it.
            manifests.put(path.replaceFirst("[^/]*$", digest(body)), body);
            exchange.getResponseHeaders().set("Docker-Content-Digest", digest(body));
            exchange.sendResponseHeaders(201, -1);
            return;
        }
        byte[] there = manifests.get(path);
        if (there == null) {
            byte[] unknown = "{\"errors\":[{\"code\":\"MANIFEST_UNKNOWN\",\"message\":\"unknown\"}]}".getBytes();
            exchange.sendResponseHeaders(404, unknown.length);
            exchange.getResponseBody().write(unknown);
            return;
        }
        exchange.getResponseHeaders()
                .set("Content-Type", JSON.readTree(there).path("mediaType").asText());
        exchange.sendResponseHeaders(200, there.length);
        exchange.getResponseBody().write(there);
    }

    private void blob(HttpExchange exchange, String path, byte[] body) throws IOException {
        byte[] there = blobs.get(name(path));
        switch (exchange.getRequestMethod()) {
            case "HEAD" -> exchange.sendResponseHeaders(there == null ? 404 : 200, -1);
            case "GET" -> {
                exchange.sendResponseHeaders(there == null ? 404 : 200, there == null ? -1 : there.length);
                if (there != null) {
                    exchange.getResponseBody().write(there);
                }
            }
            case "PUT" -> {
                String query = exchange.getRequestURI().getQuery();
                blobs.put(query.replaceFirst(".*digest=", ""), uploads.remove(name(path)));
                exchange.sendResponseHeaders(201, -1);
            }
            case "POST" -> goOn(exchange, path.replaceFirst("/$", "") + "/" + upload.incrementAndGet());
            default -> {
                uploads.put(name(path), body);
                goOn(exchange, path);
            }
        }
    }

    private void goOn(HttpExchange exchange, String path) throws IOException {
        exchange.getResponseHeaders().set("Location", "http://" + host() + path);
        exchange.sendResponseHeaders(202, -1);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
