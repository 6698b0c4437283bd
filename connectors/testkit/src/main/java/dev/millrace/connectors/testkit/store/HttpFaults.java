package dev.millrace.connectors.testkit.store;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Stands between a store's client and its server and spoils what it is told to: the next inserts, one fault each, in order. It may be
 * spoken to as the server, or as a proxy of HTTP, and then passes on to whoever is asked for. Thread-safe.
 */
public final class HttpFaults implements AutoCloseable {
    private static final List<String> NOT_PASSED_ON =
            List.of("connection", "host", "content-length", "transfer-encoding", "expect", "upgrade");

    private static final Duration BOUND = Duration.ofSeconds(100);

    /** What happens to one insert. */
    public sealed interface Fault {
        /** The server does it, and its answer is lost. */
        record AnswerLost() implements Fault {}

        /** It does not reach the server. */
        record RequestLost() implements Fault {}

        /** The server does it and answers late. */
        record Late(Duration by) implements Fault {}

        /** It is answered in place of the server. */
        record Answer(int status, int clickHouseCode, String words) implements Fault {}
    }

    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI target;
    private final Predicate<URI> isInsert;
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private final List<URI> inserts = new CopyOnWriteArrayList<>();

    /** @param isInsert by a request's path and query */
    public HttpFaults(String target, Predicate<URI> isInsert) {
        this.target = URI.create(target);
        this.isInsert = isInsert;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(executor);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Spoils the next insert that no other fault waits for. */
    public HttpFaults next(Fault... more) {
        faults.addAll(List.of(more));
        return this;
    }

    /** How many faults still wait for an insert. */
    public int waiting() {
        return faults.size();
    }

    /** Path and query of all inserts that came, spoilt ones too. */
    public List<URI> inserts() {
        return inserts;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI asked = exchange.getRequestURI();
            byte[] body = exchange.getRequestBody().readAllBytes();
            Fault fault = null;
            if (isInsert.test(asked)) {
                inserts.add(asked);
                fault = faults.poll();
            }
            if (fault instanceof Fault.RequestLost) {
                return;
            }
            if (fault instanceof Fault.Answer answer) {
                if (answer.clickHouseCode() > 0) {
                    exchange.getResponseHeaders()
                            .add("X-ClickHouse-Exception-Code", Integer.toString(answer.clickHouseCode()));
                }
                answer(exchange, answer.status(), answer.words().getBytes());
                return;
            }
            HttpResponse<byte[]> response = passOn(exchange, body);
            if (fault instanceof Fault.AnswerLost) {
                return;
            }
            if (fault instanceof Fault.Late late) {
                LockSupport.parkNanos(late.by().toNanos());
            }
            Headers headers = exchange.getResponseHeaders();
            response.headers().map().forEach((name, values) -> {
                if (!NOT_PASSED_ON.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    headers.put(name, values);
                }
            });
            answer(exchange, response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> passOn(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        target.resolve(exchange.getRequestURI().toString()))
                .timeout(BOUND)
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
