package dev.millrace.deploy.kubernetes.image;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** As much of a registry as a push needs, in memory and without TLS, which it hangs up on; or one that lets nobody in. */
final class LoopbackRegistry implements AutoCloseable {
    private final HttpServer server;
    private static final int TLS_HANDSHAKE = 0x16;

    private final ServerSocket front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads =
            Executors.newCachedThreadPool(task -> new Thread(task, "loopback-registry"));
    private final boolean open;
    final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    final Set<String> blobs = ConcurrentHashMap.newKeySet();

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
                blob(exchange, path);
            }
        }
    }

    private void manifest(HttpExchange exchange, String path, byte[] body) throws IOException {
        if (exchange.getRequestMethod().equals("PUT")) {
            manifests.put(path, body);
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
        exchange.getResponseHeaders().set("Content-Type", "application/vnd.docker.distribution.manifest.v2+json");
        exchange.sendResponseHeaders(200, there.length);
        exchange.getResponseBody().write(there);
    }

    private void blob(HttpExchange exchange, String path) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "HEAD" -> exchange.sendResponseHeaders(blobs.contains(name(path)) ? 200 : 404, -1);
            case "PUT" -> {
                String query = exchange.getRequestURI().getQuery();
                blobs.add(query.replaceFirst(".*digest=", ""));
                exchange.sendResponseHeaders(201, -1);
            }
            default -> {
                exchange.getResponseHeaders().set("Location", "http://" + host() + path.replaceFirst("/$", "") + "/x");
                exchange.sendResponseHeaders(202, -1);
            }
        }
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
