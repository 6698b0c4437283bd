package dev.millrace.connectors.stores.duckdb;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.tls.PemFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** The owner's HTTP, with TLS where it has a key; on loopback unless another address is named. Every answer that is no success is one sentence as plain text. */
final class OwnerServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(OwnerServer.class.getName());
    /** Which store a client means: while its owner was down, that of another store may have taken the port. */
    static final String ID_HEADER = "X-Millrace-Store";

    private static final Set<String> OPEN = Set.of("/ping", "/metrics");
    private static final int THREADS = 8;
    private static final int WAITING = 256;
    /** A block is cut at 8 MiB; its last row may be a dead letter of some megabytes. */
    private static final int MAX_BLOCK_BYTES = 64 << 20;

    private static final int MAX_QUERY_BYTES = 64 << 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What answers one path. */
    private interface Handler {
        void handle(Request request) throws IOException;
    }

    private final Database database;
    private final Housekeeper housekeeper;
    private final OwnerMetrics metrics;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final Set<String> hosts;

    OwnerServer(Database database, Housekeeper housekeeper) {
        OwnerSettings settings = database.settings();
        int port = settings.port();
        this.database = database;
        this.housekeeper = housekeeper;
        this.metrics = new OwnerMetrics(database);
        try {
            server = server(settings);
        } catch (IOException e) {
            throw new EnvironmentException(
                    "the store cannot listen on " + settings.host() + ":" + port + ": " + e.getMessage(), e);
        }
        hosts = settings.isLoopback()
                ? Set.of("127.0.0.1:" + port, "localhost:" + port)
                : Set.of(settings.host() + ":" + port, settings.name() + ":" + port);
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), work -> {
                    Thread thread = new Thread(work, "store-http-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        server.setExecutor(threads);
        on("/insert", "POST", this::insert);
        on("/query", "POST", this::query);
        on("/windows", "GET", this::windows);
        on("/latest_times", "GET", this::latestTimes);
        on("/dead_letters", "GET", this::deadLetters);
        on(
                "/complete_to",
                "GET",
                request -> request.answer(200, Long.toString(database.reading(Progress::completeTo))));
        on(
                "/extent",
                "GET",
                request -> request.answer(
                        200, "application/json", JSON.writeValueAsBytes(database.reading(Progress::extent))));
        on(
                "/metrics",
                "GET",
                request -> request.answer(
                        200,
                        "text/plain; version=0.0.4; charset=utf-8",
                        metrics.scrape().getBytes(StandardCharsets.UTF_8)));
        on("/ping", "GET", request -> request.answer(200, "ok"));
        server.createContext("/", whole(exchange -> new Request(exchange)
                .answer(404, "there is no " + exchange.getRequestURI().getPath())));
    }

    private static HttpServer server(OwnerSettings settings) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(settings.host()), settings.port());
        if (settings.keys().isEmpty()) {
            return HttpServer.create(address, 128);
        }
        OwnerSettings.Keys keys = settings.keys().get();
        HttpsServer secure = HttpsServer.create(address, 128);
        secure.setHttpsConfigurator(new HttpsConfigurator(PemFiles.server(keys.certificate(), keys.key())));
        return secure;
    }

    void start() {
        server.start();
    }

    private void on(String path, String method, Handler handler) {
        server.createContext(path, whole(exchange -> serve(new Request(exchange), path, method, handler)));
    }

    /**
     * Closes what was answered whole. To close is to send the end: where the handler fails in the middle of an answer the server
     * closes the connection, and by that the client knows.
     */
    static HttpHandler whole(HttpHandler handler) {
        return exchange -> {
            handler.handle(exchange);
            exchange.close();
        };
    }

    private void serve(Request request, String path, String method, Handler handler) throws IOException {
        HttpExchange exchange = request.exchange();
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null || !hosts.contains(host)) {
            // A page in a browser can make a name of its own point here; it cannot choose this header.
            request.answer(403, "the Host header must be one of " + hosts);
        } else if (exchange.getRequestHeaders().containsKey("Origin")) {
            // A page may send what is stored without asking first; its browser says where it is from.
            request.answer(403, "no page in a browser is answered here");
        } else if (isStranger(exchange, path)) {
            request.answer(401, "this store answers those who know its id");
        } else if (isForAnother(exchange)) {
            request.answer(
                    503,
                    "another store answers here: it is in "
                            + database.settings().file());
        } else if (!exchange.getRequestURI().getPath().equals(path)) {
            request.answer(404, "there is no " + exchange.getRequestURI().getPath());
        } else if (!exchange.getRequestMethod().equals(method)) {
            exchange.getResponseHeaders().set("Allow", method);
            request.answer(405, path + " takes " + method);
        } else {
            try {
                handler.handle(request);
            } catch (IllegalArgumentException e) {
                request.failed(400, e.getMessage());
            } catch (Unavailable e) {
                LOG.log(System.Logger.Level.WARNING, path + ": " + e.getMessage());
                request.failed(503, e.getMessage());
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, path, e);
                request.failed(500, "the store failed: " + e);
            }
        }
    }

    /** Whether the store is up may be asked by a probe that knows nothing, and its figures by one that collects them. */
    private boolean isStranger(HttpExchange exchange, String path) {
        return !database.settings().isLoopback()
                && !OPEN.contains(path)
                && !isSame(
                        database.settings().id(), exchange.getRequestHeaders().getFirst(ID_HEADER));
    }

    /** Takes as long for a nearly right id as for a wrong one. */
    private static boolean isSame(String id, @Nullable String said) {
        return said != null
                && MessageDigest.isEqual(id.getBytes(StandardCharsets.UTF_8), said.getBytes(StandardCharsets.UTF_8));
    }

    private boolean isForAnother(HttpExchange exchange) {
        String wanted = exchange.getRequestHeaders().getFirst(ID_HEADER);
        return wanted != null && !wanted.equals(database.settings().id());
    }

    private void insert(Request request) throws IOException {
        long startNanos = System.nanoTime();
        StoreBlock block = new StoreBlock(
                StoreTable.ofSqlName(request.parameter("table")),
                request.parameter("token"),
                (int) request.number("writer"),
                (int) request.number("writers"),
                request.number("watermark"),
                (int) request.number("rows"),
                request.body(MAX_BLOCK_BYTES));
        if (block.writers() < 1 || block.writer() < 0 || block.writer() >= block.writers() || block.rows() < 0) {
            throw new IllegalArgumentException("writer " + block.writer() + " of " + block.writers() + " with "
                    + block.rows() + " rows cannot be");
        }
        try {
            Database.Insert inserted = database.insert(block);
            metrics.inserted(block.table(), inserted, startNanos);
            housekeeper.nudge();
            request.answer(200, inserted.outcome() == Database.Outcome.STORED ? "stored" : "repeated");
        } catch (IllegalArgumentException e) {
            metrics.refused();
            throw e;
        } catch (Unavailable e) {
            metrics.unavailable();
            throw e;
        }
    }

    private void query(Request request) throws IOException {
        String sql = new String(request.body(MAX_QUERY_BYTES), StandardCharsets.UTF_8);
        byte[] lines = database.reading(connection -> ReadOnlyQuery.run(connection, sql));
        request.answer(200, "application/x-ndjson", lines);
    }

    private void windows(Request request) throws IOException {
        long from = request.number("from");
        long to = request.number("to");
        stream(
                request,
                (connection, rows) -> Streams.windows(connection, from, to, row -> {
                    rows.add(row);
                    request.sendFull(rows);
                }));
    }

    private void latestTimes(Request request) throws IOException {
        stream(
                request,
                (connection, rows) -> Streams.latestTimes(connection, row -> {
                    rows.add(row);
                    request.sendFull(rows);
                }));
    }

    private void deadLetters(Request request) throws IOException {
        stream(
                request,
                (connection, rows) -> Streams.deadLetters(connection, row -> {
                    rows.add(row);
                    request.sendFull(rows);
                }));
    }

    /** Adds rows to what is sent, and sends it whenever it is full. */
    private interface Answer {
        void write(DuckDBConnection connection, RowBinary.Encoder rows) throws SQLException, IOException;
    }

    private void stream(Request request, Answer answer) throws IOException {
        database.reading(connection -> {
            RowBinary.Encoder encoder = new RowBinary.Encoder(256 << 10);
            answer.write(connection, encoder);
            request.sendLast(encoder);
            return true;
        });
    }

    @Override
    public void close() {
        // Requests that run are let finish here: server.stop with a delay waits all of it, even when there is none.
        threads.shutdown();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
