package dev.millrace.connectors.stores.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.millrace.connectors.api.store.RowColumns;
import dev.millrace.connectors.api.store.RowColumns.Column;
import dev.millrace.connectors.api.store.RowColumns.Type;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.connectors.api.store.StoreTable;
import dev.millrace.connectors.api.store.StoreView;
import dev.millrace.connectors.testkit.broker.ServerKeys;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server says no to, and what it is asked on a cluster: by a server that answers as it is told. */
@Timeout(60)
@DisplayName("ClickHouse says no")
class ClickHouseRefusalsTest {
    /** An answer in error, as a server gives it; of what stands before it when it has no code. */
    private record Error(int status, int code, String words) {}

    @TempDir
    Path directory;

    private HttpServer server;
    private final List<String> asked = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private Function<String, Object> answer = sql -> "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                String query = exchange.getRequestURI().getQuery();
                String sql = query != null && query.contains("INSERT INTO")
                        ? query
                        : new String(body, StandardCharsets.UTF_8);
                synchronized (asked) {
                    asked.add(sql);
                    users.add(exchange.getRequestHeaders().getFirst("Authorization"));
                }
                Object said = answer.apply(sql);
                int status = 200;
                if (said instanceof Error error) {
                    status = error.status();
                    if (error.code() > 0) {
                        exchange.getResponseHeaders()
                                .add("X-ClickHouse-Exception-Code", Integer.toString(error.code()));
                    }
                    said = error.code() == 0
                            ? error.words()
                            : "Code: " + error.code() + ". DB::Exception: " + error.words() + " (version 26.9.2.1)";
                }
                byte[] bytes = said.toString().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Options options() {
        // Uncompressed, so that what is asked can be read here.
        return Options.of(
                Map.of("url", "http://127.0.0.1:" + server.getAddress().getPort(), "compression", "none"));
    }

    private static StoreClient connect(Options options) {
        return new ClickHouseStore().connect(options);
    }

    @Test
    @DisplayName("a wrong password is one sentence that says where a password is put, at once")
    void wrongPassword() throws IOException {
        answer = sql -> new Error(403, 516, "me: Authentication failed: password is incorrect");
        Path file = Files.writeString(directory.resolve("password"), "s3cret\n");
        assertThatThrownBy(() -> connect(options().with("user", "me").with("password-file", file.toString())))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("refuses user 'me'")
                .hasMessageContaining("Code: 516")
                .hasMessageContaining("'password-file' or MILLRACE_STORE_PASSWORD")
                .message()
                .doesNotContain("s3cret", "version 26");
        assertThat(users)
                .containsExactly(
                        "Basic " + Base64.getEncoder().encodeToString("me:s3cret".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    @DisplayName("a missing right is one sentence with the server's words")
    void missingRight() {
        answer = sql -> sql.startsWith("CREATE DATABASE")
                ? new Error(
                        403,
                        497,
                        "me: Not enough privileges. To execute this query, it's necessary to have the grant CREATE DATABASE")
                : "";
        try (StoreClient client = connect(options().with("user", "me").with("database", "iot"))) {
            assertThatThrownBy(client::prepare)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("user 'me' lacks a right")
                    .hasMessageContaining("CREATE DATABASE");
        }
    }

    @Test
    @DisplayName("a password file that is not there, certificates that are not there: one sentence each")
    void missingFiles() {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> connect(options().with("password-file", missing.toString())))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("password")
                .hasMessageContaining(missing.toString());
        assertThatThrownBy(() -> connect(options().with("ca-file", missing.toString())))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("ca-file")
                .hasMessageContaining(missing.toString());
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("all that is wrong with the options is said at once")
    void wrongOptions() {
        assertThatThrownBy(() -> connect(Options.of(Map.of(
                        "url", "clickhouse:8123/iot",
                        "database", "my-db",
                        "pasword-file", "x",
                        "password", "s3cret",
                        "compression", "zip",
                        "ca-file", "ca.pem"))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'url' is 'clickhouse:8123/iot'")
                .hasMessageContaining("'database' is 'my-db'")
                .hasMessageContaining("Did you mean 'password-file'?")
                .hasMessageContaining("'password' does not belong among settings")
                .hasMessageContaining("one of lz4, none")
                .hasMessageContaining("'ca-file' is 'ca.pem'; it must be an absolute path")
                .message()
                .doesNotContain("s3cret");
        assertThatThrownBy(() -> connect(Options.of(Map.of("url", "http://me:s3cret@host:8123"))))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'url' has a user in it")
                .message()
                .doesNotContain("s3cret");
        for (String url : List.of("http://me:s3%cret@host:8123", "http://me:s3#cret@host:8123")) {
            assertThatThrownBy(() -> connect(Options.of(Map.of("url", url))))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("'url' is 'http://***@host:8123'")
                    .message()
                    .doesNotContain("cret");
        }
    }

    @Test
    @DisplayName("a gateway whose server is away, and one that waits in vain for it, are asked again")
    void gateway() {
        Deque<Error> first = new ArrayDeque<>(List.of(
                new Error(502, 0, "Bad Gateway"),
                new Error(504, 0, "Gateway Time-out"),
                new Error(500, 0, "Internal Server Error")));
        answer = sql -> first.isEmpty() ? "" : first.remove();
        connect(options()).close();
        assertThat(asked).hasSize(4);
    }

    @Test
    @DisplayName(
            "a secure server that closes before it has said who it is may be restarting: it is not told of certificates")
    void cutOff() throws IOException {
        try (ServerSocket closing = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            Thread door = new Thread(() -> {
                try {
                    while (true) {
                        closing.accept().close();
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            door.start();
            ClickHouseSettings there =
                    ClickHouseSettings.bind(Options.of(Map.of("url", "https://127.0.0.1:" + closing.getLocalPort())));
            try (Connection connection = new Connection(there)) {
                assertThatThrownBy(() -> connection.await(Duration.ofMillis(500)))
                        .isInstanceOf(EnvironmentException.class)
                        .hasMessageContaining("did not take it")
                        .message()
                        .doesNotContain("certificates");
            }
        }
    }

    @Test
    @DisplayName("a port takes its scheme's default")
    void ports() {
        assertThat(ClickHouseSettings.bind(Options.of(Map.of("url", "https://host")))
                        .url())
                .isEqualTo(URI.create("https://host:8443"));
        assertThat(ClickHouseSettings.bind(Options.of(Map.of("url", "http://host/")))
                        .url())
                .isEqualTo(URI.create("http://host:8123"));
    }

    @Test
    @DisplayName("a host that nobody knows is said at once")
    void unknownHost() {
        assertThatThrownBy(() -> connect(Options.of(Map.of("url", "http://no-such-host.invalid:8123"))))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("no-such-host.invalid");
    }

    @Test
    @DisplayName("a secure server is believed by the certificates of 'ca-file', and not without them")
    void tls() throws Exception {
        ServerKeys keys = ServerKeys.make(directory, "clickhouse");
        SSLContext context = SSLContext.getInstance("TLS");
        KeyStore store = KeyStore.getInstance(keys.store().toFile(), ServerKeys.STORE_PASSWORD.toCharArray());
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store, ServerKeys.STORE_PASSWORD.toCharArray());
        context.init(own.getKeyManagers(), null, null);
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(context));
        secure.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, -1);
            }
        });
        secure.start();
        try {
            Options there = Options.of(
                    Map.of("url", "https://127.0.0.1:" + secure.getAddress().getPort()));
            connect(there.with("ca-file", keys.certificate().toString())).close();
            assertThatThrownBy(() -> connect(there))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("no secure connection")
                    .hasMessageContaining("'ca-file' (PEM)");
        } finally {
            secure.stop(0);
        }
    }

    @Test
    @DisplayName("on a cluster tables are made on all of it, replicated, and an insert waits for a quorum")
    void cluster() {
        answer = sql -> sql.startsWith("SELECT engine") ? new Error(404, 60, "enough seen") : "";
        try (StoreClient client = connect(options().with("database", "iot").with("cluster", "main"))) {
            assertThatThrownBy(client::prepare).hasMessageContaining("enough seen");
        }
        assertThat(asked).anyMatch(sql -> sql.equals("CREATE DATABASE IF NOT EXISTS `iot` ON CLUSTER `main`"));
        assertThat(asked)
                .anyMatch(sql -> sql.startsWith("CREATE TABLE IF NOT EXISTS `iot`.`windows` ON CLUSTER `main` (")
                        && sql.contains("ENGINE = ReplicatedReplacingMergeTree("
                                + "'/clickhouse/tables/{shard}/iot/windows', '{replica}', readings)")
                        && !sql.contains("non_replicated"));
    }

    @Test
    @DisplayName("on a cluster nothing is made again that is there: a host that is away would have to answer")
    void clusterWithAllThere() {
        answer = tables("ReplicatedReplacingMergeTree", "");
        try (StoreClient client = connect(options().with("database", "iot").with("cluster", "main"))) {
            client.prepare();
        }
        assertThat(asked).hasSizeGreaterThan(8).noneMatch(sql -> sql.startsWith("CREATE"));
    }

    @Test
    @DisplayName(
            "on a cluster a block that comes again is left to its token: a replica that lags would not have its rows")
    void clusterTrustsTokens() {
        AtomicInteger refusals = new AtomicInteger(1);
        answer = sql -> sql.contains("INSERT INTO") && refusals.getAndDecrement() > 0
                ? new Error(500, 252, "Code: 252. DB::Exception: too many parts")
                : "";
        try (StoreClient client = connect(options().with("database", "iot").with("cluster", "main"))) {
            asked.clear();
            client.insert(Blocks.deadLetters(List.of(Blocks.deadLetter(0, 1, 10))));
        }
        assertThat(asked).hasSize(2).allMatch(sql -> sql.contains("INSERT INTO"));
    }

    @Test
    @DisplayName("whether the rows of a block that comes again are there is asked of its own span alone")
    void ownSpan() {
        AtomicInteger leftOut = new AtomicInteger();
        AtomicInteger refusals = new AtomicInteger(1);
        answer = sql -> {
            if (sql.contains("INSERT INTO") && refusals.getAndDecrement() > 0) {
                return new Error(500, 252, "too many parts");
            }
            return sql.contains("DuplicatedInsertedBlocks") ? "{\"n\":" + leftOut.getAndIncrement() + "}" : "";
        };
        try (StoreClient client = connect(options().with("database", "iot"))) {
            client.insert(Blocks.deadLetters(List.of(Blocks.deadLetter(0, 7, 10), Blocks.deadLetter(2, 9, 10))));
            refusals.set(1);
            client.insert(Blocks.latestTimes(1, Blocks.latestTimes(5, 60_000)));
        }
        assertThat(asked)
                .anyMatch(sql -> sql.contains("FINAL WHERE partition BETWEEN toInt64('0') AND toInt64('2')"
                        + " AND position_major BETWEEN toInt64("))
                .anyMatch(sql -> sql.contains("FINAL WHERE as_of BETWEEN toInt64("))
                .noneMatch(sql -> sql.contains("FINAL ORDER"));
    }

    @Test
    @DisplayName(
            "tables of a single server are no tables of a cluster: a token that comes again would prove nothing there")
    void clusterOnPlainTables() {
        answer = tables("ReplacingMergeTree", "");
        try (StoreClient client = connect(options().with("database", "iot").with("cluster", "main"))) {
            assertThatThrownBy(client::prepare)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(
                            "table 'windows' is one of a single server, with no replicas, where 'cluster' is main");
        }
        try (StoreClient client = connect(options().with("database", "iot"))) {
            client.prepare();
        }
    }

    @Test
    @DisplayName("what a server drops and the settings do not know of would be missing in the audit, so it is refused")
    void unknownRetention() {
        answer = tables("ReplacingMergeTree", " TTL toDateTime(intDiv(x, 1000)) + toIntervalSecond(86400)");
        try (StoreClient client = connect(options().with("database", "iot"))) {
            assertThatThrownBy(client::prepare)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("has a TTL of 86400 s where 'retention' is not set: set it to 86400s")
                    .hasMessageContaining("table 'dead_letters'")
                    .hasMessageNotContaining("'latest_times'");
        }
        try (StoreClient client = connect(options().with("database", "iot").with("retention", "7d"))) {
            assertThatThrownBy(client::prepare)
                    .hasMessageContaining("make 'retention' what the table has")
                    // As a table is made: without the bound it drops what is beyond 2106.
                    .hasMessageContaining("MODIFY TTL toDateTime(least(intDiv(window_end, 1000), ");
        }
    }

    /** A server whose tables are all there. */
    private static Function<String, Object> tables(String engine, String ttl) {
        String window = engine.startsWith("Replicated") ? "" : "non_";
        Map<String, String> keys = Map.of(
                "windows", "device_id, window_start",
                "dead_letters", "partition, position_major, position_minor",
                "latest_times", "device_id, event_type",
                "progress", "writers, writer");
        Map<String, String> versions = Map.of("windows", "readings", "latest_times", "as_of", "progress", "watermark");
        return sql -> {
            String table = sql.replaceAll("(?s).*(?:table|name) = '(\\w+)'.*", "$1");
            if (sql.startsWith("SELECT name FROM system.databases")) {
                return "{\"name\":\"iot\"}";
            }
            if (sql.startsWith("SELECT name FROM system.tables")) {
                return Stream.of(StoreView.values())
                        .map(view -> "{\"name\":\"" + view.sqlName() + "\"}")
                        .collect(Collectors.joining("\n"));
            }
            if (sql.startsWith("SELECT name, type FROM system.columns")) {
                return columns(table).stream()
                        .map(column -> "{\"name\":\"" + column.name() + "\",\"type\":\"" + Tables.sqlType(column.type())
                                + "\"}")
                        .collect(Collectors.joining("\n"));
            }
            if (sql.startsWith("SELECT engine")) {
                return "{\"engine\":\"" + engine + "\",\"engine_full\":\"" + engine + "('p', 'r', "
                        + versions.getOrDefault(table, "") + ")" + ttl + " SETTINGS " + window
                        + "replicated_deduplication_window = 1000\","
                        + "\"sorting_key\":\"" + keys.get(table) + "\"}";
            }
            return "";
        };
    }

    private static List<Column> columns(String table) {
        return table.equals(Tables.PROGRESS)
                ? List.of(
                        new Column("writers", Type.INT32),
                        new Column("writer", Type.INT32),
                        new Column("watermark", Type.INT64))
                : RowColumns.of(StoreTable.ofSqlName(table));
    }
}
