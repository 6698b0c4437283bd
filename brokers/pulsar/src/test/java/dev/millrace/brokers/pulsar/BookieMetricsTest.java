package dev.millrace.brokers.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.testkit.monitoring.MetricTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bookie, and a process that recovers what bookies have lost, each alone, as the chart starts them: the local server's bookie has no page. */
@Tag("server")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BookieMetricsTest {
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final MetricTable TABLE = MetricTable.ofBroker("pulsar");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "bookie, org.apache.bookkeeper.server.Main, --conf",
        "recovery, org.apache.bookkeeper.replication.AutoRecoveryMain, -c"
    })
    @DisplayName("its page has the metrics that alerts and dashboards ask for")
    void page(String name, String main, String option) throws Exception {
        int page = Ports.firstFree(18000);
        Path settings = directory.resolve("bookie.conf");
        Files.writeString(settings, settings(Ports.firstFree(13181), page));
        ServerProcess begin = start(
                "begin", "org.apache.bookkeeper.bookie.BookieShell", "-conf", settings.toString(), "initnewcluster");
        assertThat(begin.awaitExit(BOUND)).as(begin.logTail(20)).isTrue();
        ServerProcess server = start(name, main, option, settings.toString());
        try {
            // The broker's page is looked at where one runs already.
            assertThat(TABLE.servers()).containsExactly("bookie", "broker", "recovery");
            assertThat(TABLE.of(name)).hasSizeGreaterThan(1);
            await(server, name, page);
        } finally {
            server.kill();
        }
    }

    private String settings(int port, int page) {
        return String.join(
                "\n",
                "bookiePort=" + port,
                "advertisedAddress=127.0.0.1",
                "allowLoopback=true",
                "listeningInterface=" + LocalPulsarFiles.loopback(),
                "journalDirectory=" + directory.resolve("journal"),
                "ledgerDirectories=" + directory.resolve("ledgers"),
                "ledgerStorageClass=org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage",
                "dbStorage_writeCacheMaxSizeMb=16",
                "dbStorage_readAheadCacheMaxSizeMb=16",
                // Metadata of one process alone.
                "metadataServiceUri=metadata-store:rocksdb://" + directory.resolve("metadata"),
                "statsProviderClass=org.apache.bookkeeper.stats.prometheus.PrometheusMetricsProvider",
                "prometheusStatsHttpEnable=false",
                "httpServerEnabled=true",
                "httpServerClass=org.apache.bookkeeper.http.vertx.VertxHttpServer",
                "httpServerHost=127.0.0.1",
                "httpServerPort=" + page,
                // A machine that builds may have a disk that is fuller than a bookie likes.
                "diskUsageThreshold=0.99",
                "diskUsageWarnThreshold=0.98",
                "diskUsageLwmThreshold=0.97",
                "");
    }

    private ServerProcess start(String name, String... mainAndArguments) {
        String drivers = "org.apache.pulsar.metadata.bookkeeper.PulsarMetadata";
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=256m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dbookkeeper.metadata.bookie.drivers=" + drivers + "BookieDriver",
                "-Dbookkeeper.metadata.client.drivers=" + drivers + "ClientDriver",
                "-cp",
                LocalPulsarFiles.distribution().resolve("lib") + "/*"));
        command.addAll(List.of(mainAndArguments));
        return ServerProcess.start(name, directory, command, Map.of());
    }

    private static void await(ServerProcess server, String name, int page) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page + "/metrics"))
                .timeout(BOUND)
                .build();
        long deadline = System.nanoTime() + BOUND.toNanos();
        List<String> missing = TABLE.of(name);
        while (!missing.isEmpty()) {
            // What a server does for the first time it counts from then on; what it never counts stays missing.
            assertThat(System.nanoTime())
                    .as("missing of " + name + ": " + missing + "\n" + server.logTail(20))
                    .isLessThan(deadline);
            try {
                String scrape = HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                missing = TABLE.missing(name, scrape);
            } catch (IOException e) {
                assertThat(server.isAlive()).as(server.logTail(20)).isTrue();
            }
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }
}
