package dev.millrace.connectors.stores.duckdb;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.connectors.api.store.RowBinary;
import dev.millrace.connectors.api.store.StoreBlock;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.latest.LatestTime;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.tls.PemFiles;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.DeviceWindow;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Talks to the owner, over loopback or with TLS; knows no DuckDB, so that the job's class path needs none. Thread-safe. */
final class DuckDbStoreClient implements StoreClient {
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(90);
    private static final Duration WAIT_BOUND = Duration.ofMinutes(2);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI url;
    private final String id;
    private final Duration answerBound;
    private final ExecutorService executor = Executors.newFixedThreadPool(2, work -> {
        Thread thread = new Thread(work, "store-client-" + NUMBER.getAndIncrement());
        thread.setDaemon(true);
        return thread;
    });
    private volatile HttpClient http;

    private DuckDbStoreClient(DuckDbStore.Address address) {
        this(address, ANSWER_BOUND);
    }

    /** @param answerBound for a whole answer, but for rows, which come as a stream */
    DuckDbStoreClient(DuckDbStore.Address address, Duration answerBound) {
        this.url = address.url();
        this.id = address.id();
        this.answerBound = answerBound;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .executor(executor);
        address.authority().ifPresent(trusted -> builder.sslContext(PemFiles.trusting(trusted)));
        this.http = builder.build();
    }

    /** A client whose owner has answered within {@code bound}. */
    static DuckDbStoreClient connect(DuckDbStore.Address address, Duration bound) {
        DuckDbStoreClient client = new DuckDbStoreClient(address);
        Optional<String> problem = client.await(bound);
        if (problem.isPresent()) {
            client.close();
            throw new EnvironmentException("the store at " + address.url() + " did not answer within "
                    + bound.toSeconds() + " s: " + problem.get() + "; is its owner running?");
        }
        return client;
    }

    /** Asks the owner once; what is wrong when it does not answer as it should. */
    static Optional<String> problem(DuckDbStore.Address address) {
        try (DuckDbStoreClient client = new DuckDbStoreClient(address)) {
            return client.problem();
        }
    }

    private Optional<String> await(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (true) {
            Optional<String> problem = problem();
            if (problem.isEmpty() || System.nanoTime() > deadline) {
                return problem;
            }
            pause(FIRST_PAUSE_MILLIS);
        }
    }

    private Optional<String> problem() {
        try {
            HttpResponse<String> response =
                    answer(request("/ping").timeout(Duration.ofSeconds(5)).build(), BodyHandlers.ofString());
            return response.statusCode() == 200
                    ? Optional.empty()
                    : Optional.of("it answers " + response.statusCode() + " "
                            + response.body().strip());
        } catch (IOException e) {
            return Optional.of(said(e));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path)).timeout(answerBound);
        return id.isEmpty() ? request : request.header(OwnerServer.ID_HEADER, id);
    }

    /** The owner makes and checks its tables when it opens the file; a table that does not fit stops it from starting. */
    @Override
    public void prepare() {
        send(request("/ping").build(), BodyHandlers.ofByteArray());
    }

    @Override
    public void insert(StoreBlock block) {
        String path = "/insert?table=" + block.table().sqlName() + "&token="
                + java.net.URLEncoder.encode(block.token(), StandardCharsets.UTF_8) + "&writer=" + block.writer()
                + "&writers=" + block.writers() + "&watermark=" + block.watermark() + "&rows=" + block.rows();
        send(request(path).POST(BodyPublishers.ofByteArray(block.bytes())).build(), BodyHandlers.ofByteArray());
    }

    @Override
    public long completeTo() {
        byte[] body = send(request("/complete_to").build(), BodyHandlers.ofByteArray());
        try {
            return Long.parseLong(new String(body, StandardCharsets.US_ASCII).strip());
        } catch (NumberFormatException e) {
            throw new EnvironmentException("the store at " + url + " did not say how far it is: " + e.getMessage(), e);
        }
    }

    @Override
    public Extent extent() {
        byte[] body = send(request("/extent").build(), BodyHandlers.ofByteArray());
        try {
            return JSON.readValue(body, Extent.class);
        } catch (IOException e) {
            throw new EnvironmentException("the store at " + url + " gave no extent: " + e.getMessage(), e);
        }
    }

    @Override
    public void windows(long from, long to, Consumer<DeviceWindow> consumer) {
        stream("/windows?from=" + from + "&to=" + to, rows -> {
            for (DeviceWindow window = rows.nextWindow(); window != null; window = rows.nextWindow()) {
                consumer.accept(window);
            }
        });
    }

    @Override
    public void latestTimes(Consumer<LatestTime> consumer) {
        stream("/latest_times", rows -> {
            for (LatestTime row = rows.nextLatestTime(); row != null; row = rows.nextLatestTime()) {
                consumer.accept(row);
            }
        });
    }

    @Override
    public void deadLetters(Consumer<DeadLetter> consumer) {
        stream("/dead_letters", rows -> {
            for (DeadLetter letter = rows.nextDeadLetter(); letter != null; letter = rows.nextDeadLetter()) {
                consumer.accept(letter);
            }
        });
    }

    /** Takes all rows of a stream. */
    private interface Rows {
        void take(RowBinary.Decoder decoder) throws IOException;
    }

    private void stream(String path, Rows rows) {
        try (InputStream body = send(request(path).build(), BodyHandlers.ofInputStream())) {
            rows.take(new RowBinary.Decoder(body));
        } catch (IOException e) {
            // Rows have been handed on, so asking again would hand them on twice.
            throw new EnvironmentException(
                    "the store at " + url + " broke off in the middle of its rows (" + said(e) + "); ask again", e);
        }
    }

    @Override
    public List<Map<String, Object>> query(String sql) {
        byte[] body = send(request("/query").POST(BodyPublishers.ofString(sql)).build(), BodyHandlers.ofByteArray());
        List<Map<String, Object>> rows = new ArrayList<>();
        try {
            for (String line : new String(body, StandardCharsets.UTF_8).split("\n")) {
                if (!line.isEmpty()) {
                    rows.add(JSON.readValue(line, new TypeReference<java.util.LinkedHashMap<String, Object>>() {}));
                }
            }
        } catch (IOException e) {
            throw new EnvironmentException("the store at " + url + " gave no rows: " + e.getMessage(), e);
        }
        return rows;
    }

    /** Sends until it is answered; what is sent twice is a question or carries a token. */
    private <B> B send(HttpRequest request, HttpResponse.BodyHandler<B> bodyHandler) {
        long deadline = System.nanoTime() + WAIT_BOUND.toNanos();
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            String problem;
            try {
                HttpResponse<B> response = answer(request, bodyHandler);
                if (response.statusCode() == 200) {
                    return response.body();
                }
                problem = words(response.body());
                if (response.statusCode() < 500) {
                    throw new IllegalArgumentException(problem);
                }
            } catch (IOException e) {
                problem = said(e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException(
                        "the store at " + url + " did not take it for " + WAIT_BOUND.toSeconds() + " s: " + problem);
            }
            pause(pauseMillis);
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
        }
    }

    /** The bound of a request ends, on Java 17, with the head of its answer; here it is one of the answer. */
    private <B> HttpResponse<B> answer(HttpRequest request, HttpResponse.BodyHandler<B> bodyHandler)
            throws IOException, InterruptedException {
        Duration bound = request.timeout().orElse(answerBound);
        CompletableFuture<HttpResponse<B>> answer = client().sendAsync(request, bodyHandler);
        try {
            return answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no whole answer within " + bound.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            // Of one that is given up the connection is closed.
            answer.cancel(true);
        }
    }

    private HttpClient client() {
        HttpClient open = http;
        if (open == null) {
            throw new IllegalStateException("the client is closed");
        }
        return open;
    }

    private static String words(Object body) throws IOException {
        if (body instanceof InputStream in) {
            try (in) {
                return new String(in.readNBytes(64 << 10), StandardCharsets.UTF_8).strip();
            }
        }
        return new String((byte[]) body, StandardCharsets.UTF_8).strip();
    }

    private static String said(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static EnvironmentException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EnvironmentException("interrupted while waiting for the store", e);
    }

    /** Frees its threads; on Java 17 the one that waits for sockets ends when the garbage collector comes by. */
    @Override
    public void close() {
        HttpClient open = http;
        http = null;
        if (open instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new EnvironmentException("the store's client did not close: " + e.getMessage(), e);
            }
        }
        executor.shutdownNow();
    }
}
