package dev.millrace.connectors.stores.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.testkit.store.Blocks;
import dev.millrace.connectors.testkit.tls.SelfSigned;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.core.settings.Options;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
@DisplayName("The owner's HTTP")
class OwnerServerTest {
    @TempDir
    private Path directory;

    private int port;
    private Database database;
    private Housekeeper housekeeper;
    private OwnerServer server;
    private Optional<OwnerSettings.Keys> keys = Optional.empty();

    private static final String ID = "this";

    @BeforeEach
    void start() {
        port = Ports.firstFree(18_200);
        database = Database.open(settings(1));
        housekeeper = new Housekeeper(database);
        server = new OwnerServer(database, housekeeper);
        server.start();
    }

    private OwnerSettings settings(long minFreeDiskBytes) {
        return settings(OwnerSettings.LOOPBACK, minFreeDiskBytes);
    }

    private OwnerSettings settings(String host, long minFreeDiskBytes) {
        return new OwnerSettings(
                directory.resolve("windows.duckdb"),
                host,
                "store",
                port,
                ID,
                Duration.ofHours(6),
                128L << 20,
                minFreeDiskBytes,
                keys);
    }

    @AfterEach
    void stop() {
        server.close();
        housekeeper.close();
        database.close();
    }

    private String exchange(String head, String body) throws IOException {
        return exchange(OwnerSettings.LOOPBACK, head, body);
    }

    private String exchange(String host, String head, String body) throws IOException {
        try (Socket socket = new Socket(host, port)) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            out.write((head + "\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String own(String request) throws IOException {
        return exchange(request + " HTTP/1.1\r\nHost: 127.0.0.1:" + port, "");
    }

    @Test
    @DisplayName(
            "breaks an answer off that fails when rows are on their way: without its end nobody takes it for whole")
    void brokenOff() throws Exception {
        HttpServer failing = HttpServer.create(new InetSocketAddress(OwnerSettings.LOOPBACK, 0), 1);
        try {
            failing.createContext("/", OwnerServer.whole(exchange -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("rows".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                if (exchange.getRequestURI().getPath().equals("/fails")) {
                    throw new IOException("the disk is full");
                }
            }));
            failing.start();
            String url = "http://127.0.0.1:" + failing.getAddress().getPort();
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest whole =
                    HttpRequest.newBuilder(URI.create(url + "/works")).build();
            assertThat(client.send(whole, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo("rows");
            HttpRequest fails =
                    HttpRequest.newBuilder(URI.create(url + "/fails")).build();
            assertThatThrownBy(() -> client.send(fails, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        } finally {
            failing.stop(0);
        }
    }

    @Test
    @DisplayName("refuses a request that was made for another host, as a page in a browser could make it")
    void foreignHost() throws IOException {
        String answer = exchange("POST /query HTTP/1.1\r\nHost: evil.example:" + port, "SELECT 1");
        assertThat(answer).startsWith("HTTP/1.1 403").contains("Host header");
        assertThat(exchange("GET /ping HTTP/1.1\r\nHost: localhost:" + port, ""))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    @DisplayName("does not take what a page in a browser sends: that asks nobody first")
    void page() throws IOException {
        String order =
                "POST /insert?table=windows&token=x&writer=0&writers=1&watermark=9&rows=0 HTTP/1.1\r\nHost: 127.0.0.1:"
                        + port;
        assertThat(exchange(order + "\r\nOrigin: http://evil.example", "")).startsWith("HTTP/1.1 403");
        assertThat(exchange(order + "\r\nOrigin: null", "")).startsWith("HTTP/1.1 403");
        assertThat(exchange(order, "")).startsWith("HTTP/1.1 200");
    }

    @Test
    @DisplayName("takes each path with its method only, and names a parameter that is missing or no number")
    void methods() throws IOException {
        assertThat(own("GET /insert?table=windows")).startsWith("HTTP/1.1 405").contains("takes POST");
        assertThat(own("POST /windows")).startsWith("HTTP/1.1 405");
        assertThat(own("GET /windows")).startsWith("HTTP/1.1 400").contains("'from' is missing");
        assertThat(own("GET /windows?from=a&to=2")).startsWith("HTTP/1.1 400").contains("'a', not a whole number");
        assertThat(own("GET /windowss?from=1&to=2")).startsWith("HTTP/1.1 404");
        assertThat(own("POST /insert?table=rows&token=a&writer=0&writers=1&watermark=1&rows=0"))
                .startsWith("HTTP/1.1 400")
                .contains("no table 'rows'");
        assertThat(own("POST /insert?table=windows&token=a&writer=1&writers=1&watermark=1&rows=0"))
                .startsWith("HTTP/1.1 400")
                .contains("writer 1 of 1");
    }

    @Test
    @DisplayName("a client that means another store is turned away, and waits, instead of mixing two stores' rows")
    void strangerIsTurnedAway() {
        URI url = URI.create("http://127.0.0.1:" + port);
        assertThatThrownBy(() -> DuckDbStoreClient.connect(
                        new DuckDbStore.Address(url, "another", Optional.empty()), Duration.ofMillis(300)))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("another store answers here");
        DuckDbStoreClient.connect(new DuckDbStore.Address(url, ID, Optional.empty()), Duration.ofSeconds(10))
                .close();
    }

    @Test
    @DisplayName(
            "beyond loopback only who knows its id is answered, under its address and its name; a probe needs no id")
    void beyondLoopback() throws IOException {
        stop();
        // Another address of this machine, so that it looks like one that others reach; 127.0.0.2 holds ports.
        String host = "127.0.0.3";
        database = Database.open(settings(host, 1));
        housekeeper = new Housekeeper(database);
        server = new OwnerServer(database, housekeeper);
        server.start();
        String known = "\r\n" + OwnerServer.ID_HEADER + ": " + ID;
        assertThat(exchange(host, "GET /ping HTTP/1.1\r\nHost: store:" + port, ""))
                .startsWith("HTTP/1.1 200");
        assertThat(exchange(host, "GET /extent HTTP/1.1\r\nHost: store:" + port, ""))
                .startsWith("HTTP/1.1 401");
        assertThat(exchange(host, "GET /extent HTTP/1.1\r\nHost: store:" + port + known + "x", ""))
                .startsWith("HTTP/1.1 401");
        assertThat(exchange(host, "GET /extent HTTP/1.1\r\nHost: store:" + port + known, ""))
                .startsWith("HTTP/1.1 200");
        assertThat(exchange(host, "GET /extent HTTP/1.1\r\nHost: " + host + ":" + port + known, ""))
                .startsWith("HTTP/1.1 200");
        assertThat(exchange(host, "GET /extent HTTP/1.1\r\nHost: localhost:" + port + known, ""))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    @DisplayName("gives metrics that move with the blocks")
    void metrics() throws IOException {
        try (DuckDbStoreClient client = DuckDbStoreClient.connect(
                new DuckDbStore.Address(URI.create("http://127.0.0.1:" + port), "", Optional.empty()),
                Duration.ofSeconds(10))) {
            var block = Blocks.block(1, Blocks.windows(7, 60_000));
            client.insert(block);
            client.insert(block);
        }
        assertThat(own("GET /metrics"))
                .contains("millrace_store_rows_total{table=\"windows\"} 7.0")
                .contains("millrace_store_blocks_total{table=\"windows\"} 1.0")
                .contains("millrace_store_blocks_repeated_total 1.0")
                .contains("millrace_store_end_to_end_seconds_count 7")
                .contains("millrace_store_insert_seconds_bucket{le=\"0.05\"}")
                .contains("millrace_store_last_window_end_seconds 60.0")
                .contains("millrace_store_file_bytes");
    }

    @Test
    @DisplayName("a file that cannot be opened is refused with a sentence")
    void cannotOpen() {
        Path notADirectory = directory.resolve("windows.duckdb").resolve("below.duckdb");
        assertThatThrownBy(() -> Database.open(new OwnerSettings(
                        notADirectory,
                        OwnerSettings.LOOPBACK,
                        "",
                        port,
                        "",
                        Duration.ofHours(1),
                        128L << 20,
                        1,
                        Optional.empty())))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("cannot open the database");
    }

    @Test
    @DisplayName("a query reads no file of the machine, changes no setting and gives a bounded number of rows")
    void queryIsFencedIn() {
        try (DuckDbStoreClient client = DuckDbStoreClient.connect(
                new DuckDbStore.Address(URI.create("http://127.0.0.1:" + port), "", Optional.empty()),
                Duration.ofSeconds(10))) {
            for (String sql : List.of(
                    "SELECT * FROM read_csv('/etc/passwd')",
                    "SELECT * FROM glob('/*')",
                    "COPY windows TO 'stolen.csv'",
                    "ATTACH 'other.duckdb'",
                    "SET threads = 1",
                    "PRAGMA database_list",
                    "CALL force_checkpoint()",
                    "SELECT * FROM force_checkpoint()",
                    "SELECT * FROM enable_logging(storage='file', storage_config={'path': '/no/such/folder'})",
                    "SELECT * FROM query('SELECT * FROM disable_logging()')",
                    "SELECT (SELECT count(*) FROM disable_logging())",
                    "WITH a AS (SELECT * FROM main.\"Enable_Logging\"()) SELECT 1 FROM range(1), a",
                    "SELECT 1) ; DROP TABLE windows; SELECT * FROM (SELECT 1",
                    "",
                    "SELECT 1; SELECT 2",
                    "SELECT * FROM range(10001)")) {
                assertThatThrownBy(() -> client.query(sql)).as(sql).isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(client.query("FROM range(10000)")).hasSize(10_000);
            assertThat(client.query("SHOW TABLES -- all of them")).hasSizeGreaterThanOrEqualTo(2);
            assertThat(client.query("DESCRIBE windows;")).hasSize(40);
            assertThat(client.query("WITH n AS (SELECT unnest([3, 1, 2]) AS x) SELECT x FROM n ORDER BY x DESC"))
                    .extracting(row -> row.get("x"))
                    .containsExactly(3, 2, 1);
        }
    }

    @Test
    @DisplayName("without room on the disk a block is refused with a sentence, and taken when there is room")
    void noRoom() {
        stop();
        database = Database.open(settings(Long.MAX_VALUE / 2));
        var block = Blocks.block(1, Blocks.windows(7, 60_000));
        assertThatThrownBy(() -> database.insert(block))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("must stay free")
                .hasMessageContaining("make room");
        database.close();
        start();
        assertThat(database.insert(block).outcome()).isEqualTo(Database.Outcome.STORED);
    }

    @Test
    @DisplayName(
            "with a key it speaks TLS: who trusts its authority is answered, who trusts another one or none is not")
    void tls() throws IOException {
        Path files = SelfSigned.in(directory.resolve("tls"), "dns:localhost");
        Path others = SelfSigned.in(directory.resolve("others"), "dns:localhost");
        stop();
        keys = Optional.of(new OwnerSettings.Keys(files.resolve("tls.crt"), files.resolve("tls.key")));
        start();
        String url = "https://localhost:" + port;
        try (var client = new DuckDbStore()
                .connect(Options.of(Map.of(
                        "url", url, "id", ID, "ca", files.resolve("ca.crt").toString())))) {
            client.insert(Blocks.block(1, Blocks.windows(7, 60_000)));
            assertThat(client.extent().windows()).isPositive();
        }
        Duration bound = Duration.ofMillis(300);
        DuckDbStore.Address stranger =
                new DuckDbStore.Address(URI.create(url), ID, Optional.of(others.resolve("ca.crt")));
        assertThatThrownBy(() -> DuckDbStoreClient.connect(stranger, bound))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("did not answer");
        DuckDbStore.Address plain =
                new DuckDbStore.Address(URI.create("http://localhost:" + port), ID, Optional.empty());
        assertThatThrownBy(() -> DuckDbStoreClient.connect(plain, bound)).isInstanceOf(EnvironmentException.class);
    }

    @Test
    @DisplayName("https and its authority go together")
    void httpsWithAuthority() {
        DuckDbStore store = new DuckDbStore();
        assertThatThrownBy(() -> store.connect(Options.of(Map.of("url", "https://localhost:1"))))
                .hasMessageContaining("http://HOST:PORT (https with 'ca'");
        assertThatThrownBy(() -> store.connect(Options.of(Map.of("url", "http://localhost:1", "ca", "ca.crt"))))
                .hasMessageContaining("https://HOST:PORT");
    }
}
