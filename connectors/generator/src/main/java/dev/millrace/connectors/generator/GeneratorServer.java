package dev.millrace.connectors.generator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.connectors.api.local.LoopbackHost;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code GET /state}, {@code GET /metrics}, {@code POST /pause}, {@code /resume} and {@code /rate?readingsPerSecond=N}, on
 * loopback. Requests whose Host is another name are refused, so that no web page can order a pause by way of DNS. On another
 * address, where one is named (a pod's), only what is asked by GET.
 */
final class GeneratorServer implements AutoCloseable {
    static final String LOOPBACK = "127.0.0.1";

    private static final Pattern RATE = Pattern.compile("readingsPerSecond=(\\d{1,10})");
    private static final long ORDER_SECONDS = 5;
    private static final Set<String> LOOKS = Set.of("/state", "/metrics");
    private static final Set<String> ORDERS = Set.of("/pause", "/resume", "/rate");

    private final Generator generator;
    private final GeneratorMetrics metrics;
    private final ObjectMapper json = new ObjectMapper();
    private final HttpServer server;
    private final Optional<HttpServer> looks;
    private final ScheduledExecutorService threads;

    /** @param lookHost an address of this machine; {@link #LOOPBACK} for no other one */
    GeneratorServer(int port, String lookHost, Generator generator, GeneratorMetrics metrics) {
        this.generator = generator;
        this.metrics = metrics;
        threads = new ScheduledThreadPoolExecutor(4, task -> {
            Thread thread = new Thread(task, "generator-http");
            thread.setDaemon(true);
            return thread;
        });
        server = listen(LOOPBACK, port, this::handle);
        looks = lookHost.equals(LOOPBACK) ? Optional.empty() : Optional.of(listen(lookHost, port(), this::look));
        // So that the rate is of the last second whenever somebody asks.
        threads.scheduleWithFixedDelay(metrics::rate, 500, 500, TimeUnit.MILLISECONDS);
    }

    private HttpServer listen(String host, int port, HttpHandler handler) {
        HttpServer made;
        try {
            made = HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), port), 16);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the generator cannot listen on " + host + ":" + port + ": " + e.getMessage(), e);
        }
        made.setExecutor(threads);
        made.createContext("/", handler);
        made.start();
        return made;
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        looks.ifPresent(other -> other.stop(0));
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Headers headers = exchange.getRequestHeaders();
        if (!LoopbackHost.isMeantBy(headers.getFirst("Host"))) {
            refuse(exchange, "this server answers 127.0.0.1 and localhost only\n");
        } else if (headers.containsKey("Origin")) {
            // A page may give an order without asking first; its browser says where it is from.
            refuse(exchange, "no page in a browser is answered here\n");
        } else {
            serve(exchange, ORDERS);
        }
    }

    private static void refuse(HttpExchange exchange, String sentence) throws IOException {
        try (exchange) {
            answer(exchange, 403, "text/plain", sentence);
        }
    }

    private void look(HttpExchange exchange) throws IOException {
        serve(exchange, Set.of());
    }

    private void serve(HttpExchange exchange, Set<String> orders) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String method = exchange.getRequestMethod();
            boolean get = LOOKS.contains(path);
            if (!get && !orders.contains(path)) {
                answer(
                        exchange,
                        404,
                        "text/plain",
                        orders.isEmpty()
                                ? "there are /state and /metrics; orders are taken on 127.0.0.1\n"
                                : "there are /state, /metrics, /pause, /resume and /rate\n");
            } else if (!method.equals(get ? "GET" : "POST")) {
                answer(exchange, 405, "text/plain", path + " takes " + (get ? "GET" : "POST") + "\n");
            } else if (path.equals("/metrics")) {
                answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", metrics.scrape());
            } else {
                order(exchange, path);
            }
        }
    }

    private void order(HttpExchange exchange, String path) throws IOException {
        try {
            switch (path) {
                case "/pause" -> await(generator.pause());
                case "/resume" -> await(generator.resume());
                case "/rate" ->
                    await(generator.rate(rate(exchange.getRequestURI().getQuery())));
                default -> {}
            }
            answer(exchange, 200, "application/json", json.writeValueAsString(state()) + "\n");
        } catch (UserException e) {
            answer(exchange, 400, "text/plain", e.getMessage() + "\n");
        } catch (EnvironmentException e) {
            answer(exchange, 503, "text/plain", e.getMessage() + "\n");
        }
    }

    private Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("state", generator.state().wireName());
        state.put("message", generator.message());
        state.put("readingsSent", generator.readingsSent());
        state.put("readingsOffered", generator.readingsOffered());
        state.put("rateReadingsPerSecond", Math.round(metrics.rate() * 10) / 10.0);
        state.put("targetRateReadingsPerSecond", generator.targetRate());
        state.put("latenessMillis", generator.latenessMillis());
        state.put("start", generator.startMillis());
        return state;
    }

    private static long rate(String query) {
        Matcher matcher = RATE.matcher(query == null ? "" : query);
        long rate = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        if (rate < 1 || rate > dev.millrace.core.generate.Schedule.MAX_RATE) {
            throw new UserException("say /rate?readingsPerSecond=N with N from 1 to "
                    + dev.millrace.core.generate.Schedule.MAX_RATE + "; to send nothing, pause");
        }
        return rate;
    }

    private static void await(CompletableFuture<Void> order) {
        try {
            order.get(ORDER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UserException user ? user : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new EnvironmentException("the generator is still starting; it will do it once it runs");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("the generator is stopping");
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
