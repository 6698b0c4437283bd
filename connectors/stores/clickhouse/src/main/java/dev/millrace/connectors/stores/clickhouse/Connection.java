package dev.millrace.connectors.stores.clickhouse;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.ServerException;
import com.clickhouse.client.api.command.CommandSettings;
import com.clickhouse.client.api.insert.InsertResponse;
import com.clickhouse.client.api.insert.InsertSettings;
import com.clickhouse.client.api.query.QueryResponse;
import com.clickhouse.client.api.query.QuerySettings;
import com.clickhouse.data.ClickHouseFormat;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.UserException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A server as this store speaks to it: every statement is sent until it is answered, with back-off, at most {@link #WAIT_BOUND};
 * what it answers in error becomes one of the three exceptions of the house. Thread-safe.
 */
@SuppressWarnings("try") // The client's answers may throw anything when they are closed.
final class Connection implements AutoCloseable {
    /** How long one statement waits for a server that does not answer or cannot take it now. */
    static final Duration WAIT_BOUND = Duration.ofMinutes(2);

    private static final Duration CONNECT_BOUND = Duration.ofSeconds(5);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(90);
    /** How long the server waits for each host of a cluster to do what was asked ON CLUSTER. */
    private static final Duration CLUSTER_BOUND = Duration.ofSeconds(60);

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    /** A person's question; the same bounds as the embedded store's. */
    private static final int PERSONS_ROWS = 10_000;

    private static final Duration PERSONS_BOUND = Duration.ofSeconds(30);
    private static final Pattern OF_PROXY = Pattern.compile("502 Bad gateway|Unexpected result status 5\\d\\d");
    private static final ObjectReader ROWS =
            new ObjectMapper().readerFor(new TypeReference<LinkedHashMap<String, Object>>() {});

    private final ClickHouseSettings settings;
    private final Client client;
    private final AtomicBoolean closed = new AtomicBoolean();

    Connection(ClickHouseSettings settings) {
        this.settings = settings;
        settings.check();
        Client.Builder builder = new Client.Builder()
                .addEndpoint(settings.url().toString())
                .setUsername(settings.user())
                .setPassword(settings.password())
                .setClientName("millrace")
                .setConnectTimeout(CONNECT_BOUND.toMillis())
                .setSocketTimeout(ANSWER_BOUND.toMillis())
                // Older servers answer a compressed question with nothing at all, and without an error.
                .compressServerResponse(false)
                .compressClientRequest(settings.compress())
                // The same block with the same token, and for longer than the client would: see asking().
                .setMaxRetries(0);
        settings.caFile().ifPresent(file -> builder.setRootCertificate(file.toString()));
        this.client = builder.build();
    }

    /** One statement, sent. */
    private interface Attempt<R> {
        R send() throws Exception;
    }

    /** Takes what a query streams back. */
    interface Reading {
        void read(InputStream body) throws IOException;
    }

    /** Waits until the server answers, at most {@code bound}; not for a host whose name nobody knows. */
    void await(Duration bound) {
        try {
            InetAddress.getByName(settings.url().getHost());
        } catch (UnknownHostException e) {
            throw new EnvironmentException(
                    "the host '" + settings.url().getHost() + "' of " + server() + " is not known", e);
        }
        asking(bound, "SELECT 1", () -> {
            try (QueryResponse answer = client.query("SELECT 1", new QuerySettings().setFormat(ClickHouseFormat.TSV))
                    .get()) {
                return answer.getInputStream().readAllBytes();
            }
        });
    }

    /** A statement that makes or changes something; it must be one that may be sent twice. */
    void execute(String sql) {
        CommandSettings how = new CommandSettings();
        // Otherwise the server waits longer for a host that is away than this waits for the server, which could have
        // named it.
        how.serverSetting("distributed_ddl_task_timeout", Long.toString(CLUSTER_BOUND.toSeconds()));
        asking(WAIT_BOUND, sql, () -> {
            client.execute(sql, how).get().close();
            return sql;
        });
    }

    /** The rows of a question of ours: column name to value, in order. */
    List<Map<String, Object>> rows(String sql) {
        return rows(sql, new QuerySettings(), WAIT_BOUND);
    }

    /**
     * The rows of a person's question: it names this store's tables alone, cannot change anything, and sees one row of those that
     * replace each other. At most 10,000 rows and half a minute.
     */
    List<Map<String, Object>> readOnlyRows(String sql) {
        return rows(
                sql,
                new QuerySettings()
                        .setDatabase(settings.database())
                        .serverSetting("final", "1")
                        .serverSetting("max_result_rows", Integer.toString(PERSONS_ROWS))
                        .serverSetting("result_overflow_mode", "throw")
                        .serverSetting("max_execution_time", Long.toString(PERSONS_BOUND.toSeconds())),
                PERSONS_BOUND);
    }

    private List<Map<String, Object>> rows(String sql, QuerySettings how, Duration bound) {
        reading(how)
                .setFormat(ClickHouseFormat.JSONEachRow)
                .serverSetting("output_format_json_quote_64bit_integers", "0");
        return asking(bound, sql, () -> {
            try (QueryResponse answer = client.query(sql, how).get();
                    MappingIterator<Map<String, Object>> rows = ROWS.readValues(answer.getInputStream())) {
                return rows.readAll();
            }
        });
    }

    /** It changes nothing, and ends when nobody waits for its answer any more: whoever asks again must not find the first still busy. */
    private static QuerySettings reading(QuerySettings how) {
        return how.serverSetting("readonly", "2").serverSetting("cancel_http_readonly_queries_on_client_close", "1");
    }

    /** Streams the rows of a question as RowBinary. Rows are handed on as they come, so what breaks off is not asked again. */
    void stream(String sql, Reading reading) {
        QuerySettings how = reading(new QuerySettings()).setFormat(ClickHouseFormat.RowBinary);
        QueryResponse answer =
                asking(WAIT_BOUND, sql, () -> client.query(sql, how).get());
        try (answer) {
            reading.read(answer.getInputStream());
        } catch (IOException e) {
            throw new EnvironmentException(
                    server() + " broke off in the middle of its rows (" + said(e) + "); ask again", e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new EnvironmentException(server() + " broke off: " + said(e), e);
        }
    }

    /**
     * Inserts rows into a table of this store.
     *
     * @param token by which the server knows rows that it has taken; empty: they may be taken twice
     * @return how often it was sent, from 1
     */
    int insert(String table, List<String> columns, byte[] rowBinary, String token) {
        InsertSettings how = new InsertSettings()
                .setDatabase(settings.database())
                // An answer means that the rows are there; newer servers gather them first unless told so.
                .serverSetting("async_insert", "0")
                // A partition is a month, and readings of devices with wrong clocks may be of more months than a server
                // takes at once by itself.
                .serverSetting("max_partitions_per_insert_block", "0")
                .serverSetting("insert_deduplicate", token.isEmpty() ? "0" : "1");
        if (!token.isEmpty()) {
            how.setDeduplicationToken(token);
        }
        if (!settings.cluster().isEmpty()) {
            how.serverSetting("insert_quorum", "auto");
        }
        AtomicInteger sent = new AtomicInteger();
        return asking(WAIT_BOUND, "INSERT INTO " + table, () -> {
            sent.incrementAndGet();
            try (InsertResponse answer = client.insert(
                            table, columns, new ByteArrayInputStream(rowBinary), ClickHouseFormat.RowBinary, how)
                    .get()) {
                return sent.get();
            }
        });
    }

    private <R> R asking(Duration bound, String what, Attempt<R> attempt) {
        long deadline = System.nanoTime() + bound.toNanos();
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            if (closed.get()) {
                throw new IllegalStateException("the client is closed");
            }
            Exception failure;
            try {
                return attempt.send();
            } catch (InterruptedException e) {
                throw interrupted(e);
            } catch (ExecutionException e) {
                failure = e.getCause() instanceof Exception cause ? cause : e;
            } catch (Exception e) {
                failure = e;
            }
            refuse(what, failure);
            if (System.nanoTime() > deadline) {
                throw new EnvironmentException(
                        server() + " did not take it for " + bound.toSeconds() + " s: " + said(failure), failure);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(pauseMillis);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
        }
    }

    /** Returns when it is worth another try. */
    private void refuse(String what, Exception failure) {
        ServerException answer = cause(failure, ServerException.class);
        if (answer == null) {
            if (Thread.currentThread().isInterrupted()) {
                throw new EnvironmentException("interrupted while waiting for " + server(), failure);
            }
            boolean isCutOff =
                    cause(failure, EOFException.class) != null || cause(failure, SocketException.class) != null;
            if (cause(failure, SSLException.class) != null && !isCutOff) {
                throw new EnvironmentException(
                        "no secure connection to " + server() + ": " + said(failure)
                                + "; name the certificates that its own is signed by with 'ca-file' (PEM)",
                        failure);
            }
            boolean broken = cause(failure, JsonProcessingException.class) != null;
            // Of a proxy in between whose server is away the client makes no answer, only these words.
            boolean isOfProxy = OF_PROXY.matcher(said(failure)).find();
            if (broken || (cause(failure, IOException.class) == null && !isOfProxy)) {
                throw new EnvironmentException(server() + " cannot be used: " + said(failure), failure);
            }
            return;
        }
        int code = answer.getCode();
        if (ErrorCodes.isAuthentication(code)) {
            throw new UserException(
                    server() + " refuses user '" + settings.user() + "': " + said(answer)
                            + "; name the user by 'user', the password by 'password-file' or "
                            + ResultStore.PASSWORD_VARIABLE,
                    answer);
        }
        if (ErrorCodes.isMissingRight(code)) {
            throw new UserException(
                    "user '" + settings.user() + "' lacks a right on " + server() + ": " + said(answer), answer);
        }
        // Without a code of ClickHouse's it is what stands before it that speaks.
        boolean isOfProxy =
                code <= 0 && (answer.getTransportProtocolCode() >= 500 || answer.getTransportProtocolCode() == 429);
        if (!ErrorCodes.isPassing(code) && !isOfProxy) {
            throw new Refusal(code, server() + " refuses '" + brief(what) + "': " + said(answer), answer);
        }
    }

    /** The server will never take this statement; an IllegalArgumentException as the store's interface has it. */
    static final class Refusal extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private final int code;

        Refusal(int code, String message, Throwable cause) {
            super(message, cause);
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    private static String brief(String sql) {
        return sql.length() <= 60 ? sql : sql.substring(0, 57) + "...";
    }

    private static <T extends Throwable> @Nullable T cause(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }

    /** The innermost words: the client's own say only which attempt it was. */
    private static String said(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null && !(innermost instanceof ServerException)) {
            innermost = innermost.getCause();
        }
        String words = innermost instanceof UnknownHostException
                ? "the host '" + innermost.getMessage() + "' is not known"
                : innermost.getMessage() == null ? innermost.getClass().getSimpleName() : innermost.getMessage();
        return words.replaceAll("\\s*\\((queryId|version|official build)[^)]*\\)", "")
                .replaceAll("\\s+", " ")
                .trim();
    }

    private EnvironmentException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EnvironmentException("interrupted while waiting for " + server(), e);
    }

    /** As messages call it. */
    String server() {
        return "ClickHouse at " + settings.url();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            client.close();
        }
    }
}
