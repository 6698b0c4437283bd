package dev.millrace.deploy.local.supervisor;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.StackState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The supervisor's {@code GET /metrics} (Prometheus text) and {@code GET /state} (JSON), and the stack's page on all other paths. */
final class SupervisorHttp implements AutoCloseable {
    private static final int THREADS = 4;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ObjectMapper json = new ObjectMapper();
    private final HttpServer server;
    private final ExecutorService threads;

    SupervisorHttp(int port, Supplier<StackState> state, HttpHandler page) {
        new JvmMemoryMetrics().bindTo(registry);
        threads = Executors.newFixedThreadPool(THREADS, runnable -> {
            Thread thread = new Thread(runnable, "supervisor-http");
            thread.setDaemon(true);
            return thread;
        });
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 16);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the supervisor cannot listen on 127.0.0.1:" + port + ": " + e.getMessage(), e);
        }
        server.setExecutor(threads);
        serve("/metrics", exchange -> answer(exchange, "text/plain; version=0.0.4", registry.scrape()));
        serve(
                "/state",
                exchange -> answer(
                        exchange,
                        "application/json",
                        json.writeValueAsString(state.get().withoutOptions().toProperties())));
        serve("/", page);
        server.start();
    }

    private void serve(String path, HttpHandler handler) {
        server.createContext(path, handler).getFilters().add(new LoopbackGets());
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Publishes one part's figures. */
    void watch(Keeper keeper) {
        String name = keeper.part().name();
        Gauge.builder("millrace.process.up", keeper, k -> k.part().isAlive() ? 1 : 0)
                .description("1 while the process is alive")
                .tag("process", name)
                .register(registry);
        FunctionCounter.builder("millrace.process.restarts", keeper, Keeper::restarts)
                .description("times the supervisor started the process again")
                .tag("process", name)
                .register(registry);
        cpu(name, keeper, k -> k.part().pid());
    }

    /** Publishes the CPU time of this process. */
    void cpuOfThis(String name) {
        cpu(name, this, http -> ProcessHandle.current().pid());
    }

    /**
     * The CPU time of the process that {@code pid} names at the time of the question.
     *
     * @param held what somebody else holds for as long as it is to be counted: a counter does not
     */
    private <T> void cpu(String name, T held, ToLongFunction<T> pid) {
        FunctionCounter.builder("millrace.process.cpu.seconds", held, one -> cpuSeconds(pid.applyAsLong(one)))
                .description("CPU time of the process that runs now")
                .tag("process", name)
                .register(registry);
    }

    private static double cpuSeconds(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .map(Duration::toMillis)
                .map(millis -> millis / 1000.0)
                .orElse(0.0);
    }

    private static void answer(HttpExchange exchange, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
