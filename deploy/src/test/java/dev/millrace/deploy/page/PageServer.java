package dev.millrace.deploy.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.deploy.RawRequest;
import dev.millrace.deploy.local.supervisor.LoopbackGets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The page's real handler behind the supervisor's real filter, on looks of a test's own. */
final class PageServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Looks looks;
    private final AtomicInteger looksLeft = new AtomicInteger(Integer.MAX_VALUE);

    PageServer(Looks looks) throws IOException {
        this.looks = looks;
        HttpHandler page = new PageHandler("--broker river --run-dir /a<b>", looks);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 16);
        server.setExecutor(threads);
        serve("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/look.json") && looksLeft.getAndDecrement() <= 0) {
                // Not HttpServer.stop: a connection that arrives meanwhile may stay open and unanswered, for ever.
                exchange.close();
            } else {
                page.handle(exchange);
            }
        });
        server.start();
    }

    /** From then on whoever asks for a look finds the connection closed, as if the stack had gone while the page is open. */
    void silentAfterLooks(int count) {
        looksLeft.set(count);
    }

    void serve(String path, HttpHandler handler) {
        server.createContext(path, handler).getFilters().add(new LoopbackGets());
    }

    /** The same as {@code /} is served at {@code path}, with something before the end of its body. */
    void serve(String path, String more) throws IOException {
        String page = RawRequest.body(RawRequest.get(port(), "/"));
        int end = page.lastIndexOf("</body>");
        serveHtml(path, page.substring(0, end) + more + page.substring(end));
    }

    void serveHtml(String path, String html) {
        serve(path, exchange -> send(exchange, html));
    }

    private static void send(HttpExchange exchange, String html) throws IOException {
        byte[] body = html.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        looks.close();
    }
}
