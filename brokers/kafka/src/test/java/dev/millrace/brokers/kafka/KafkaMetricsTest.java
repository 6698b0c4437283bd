package dev.millrace.brokers.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.api.broker.TopicSpec;
import dev.millrace.connectors.api.local.Ports;
import dev.millrace.connectors.api.local.ServerProcess;
import dev.millrace.connectors.testkit.broker.PodFiles;
import dev.millrace.connectors.testkit.monitoring.MetricTable;
import dev.millrace.core.settings.Options;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with the metrics reporter that Strimzi puts into its own, set as the production shape has it. */
@Tag("server")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class KafkaMetricsTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long MEMORY_BYTES = 512L << 20;
    private static final MetricTable TABLE = MetricTable.ofBroker("kafka");

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "the page of a server has the metrics that alerts and dashboards ask for, of the topic that they ask for")
    void page() throws Exception {
        int port = Ports.firstFree(19092);
        int page = Ports.firstFree(19404);
        KafkaOptions options = KafkaOptions.bindLocal(Options.of(Map.of("memory", "512MiB")));
        String version = KafkaServerFiles.version(KafkaServerFiles.jars());
        KafkaServerFiles.write(directory, port, Ports.firstFree(port + 1), options, version);
        String settings = directory.resolve(KafkaServerFiles.SETTINGS).toString();
        Files.writeString(Path.of(settings), reporter(page), StandardOpenOption.APPEND);
        String id = Uuid.randomUuid().toString();
        ServerProcess format = start("format", "kafka.tools.StorageTool", "format", "-t", id, "-c", settings);
        assertThat(format.awaitExit(BOUND)).isTrue();
        ServerProcess server = start("server", "kafka.Kafka", settings);
        try {
            await(server, page);
            publish(port);
            String scrape = scrape(page);
            assertThat(TABLE.servers()).containsExactly("kafka");
            assertThat(TABLE.of("kafka")).hasSizeGreaterThan(10);
            assertThat(TABLE.missing("kafka", scrape)).isEmpty();
            assertThat(scrape.lines())
                    .anyMatch(line -> line.startsWith("kafka_log_log_size{")
                            && line.contains("topic=\"readings\"")
                            && line.contains("partition=\"0\""))
                    .anyMatch(line -> line.startsWith("kafka_server_brokertopicmetrics_bytesinpersec_total{")
                            && line.contains("topic=\"readings\""))
                    .anyMatch(line -> line.startsWith("kafka_network_requestmetrics_totaltimems{")
                            && line.contains("request=\"Produce\"")
                            && line.contains("quantile=\"0.99\""));
        } finally {
            server.kill();
        }
    }

    /** What the operator writes for kafka.yaml's {@code metricsConfig}. */
    private static String reporter(int page) {
        String allowed = new PodFiles(Path.of(System.getProperty("millrace.root", "../.."))
                        .resolve("brokers/kafka/deploy/kubernetes/c5-i7i"))
                .text("kafka.yaml")
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("- kafka_\\w+\\.\\*"))
                .map(line -> line.substring(2))
                .collect(Collectors.joining(","));
        assertThat(allowed).contains("kafka_log.*");
        return String.join(
                "\n",
                "",
                "metric.reporters=io.strimzi.kafka.metrics.KafkaPrometheusMetricsReporter",
                "kafka.metrics.reporters=io.strimzi.kafka.metrics.YammerPrometheusMetricsReporter",
                "prometheus.metrics.reporter.listener=http://127.0.0.1:" + page,
                "prometheus.metrics.reporter.allowlist=" + allowed,
                "");
    }

    /** A process of the server's jars and the reporter's, which are on this test's class path. */
    private ServerProcess start(String name, String... mainAndArguments) {
        List<String> command = new ArrayList<>(
                KafkaServerFiles.command(directory, KafkaServerFiles.jars(), MEMORY_BYTES, List.of(mainAndArguments)));
        int classPath = command.indexOf("-cp") + 1;
        String reporter = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(jar -> jar.matches(".*/(metrics-reporter|prometheus-metrics-[a-z-]+)-[\\d.]+\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(reporter).contains("metrics-reporter").contains("prometheus-metrics-exporter-httpserver");
        command.set(classPath, command.get(classPath) + File.pathSeparator + reporter);
        return ServerProcess.start(name, directory, command, Map.of());
    }

    private static void await(ServerProcess server, int page) throws InterruptedException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (true) {
            try {
                if (scrape(page).contains("kafka_controller_kafkacontroller_activecontrollercount 1")) {
                    return;
                }
            } catch (IOException e) {
                assertThat(server.isAlive()).as(server.logTail(20)).isTrue();
            }
            assertThat(System.nanoTime()).as(server.logTail(20)).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }

    private static String scrape(int page) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page + "/metrics"))
                .timeout(BOUND)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void publish(int port) {
        Options options = Options.of(Map.of("address", "127.0.0.1:" + port));
        try (BrokerClient client = new KafkaBroker().connect(options)) {
            client.createTopic(TopicSpec.of("readings", 1));
            try (Publisher publisher = client.publisher("readings", "test")) {
                byte[] payload = "reading".getBytes(StandardCharsets.UTF_8);
                assertThat(publisher.offer(payload, payload, 0, new Receipts())).isTrue();
                assertThat(publisher.flush(BOUND)).isTrue();
            }
        }
    }
}
