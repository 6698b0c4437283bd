package dev.millrace.connectors.job.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.connectors.testkit.tls.SelfSigned;
import dev.millrace.core.tls.PemFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OneAddressPrometheusReporterTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final Properties properties = new Properties();
    private int port;

    @BeforeEach
    void freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        properties.setProperty("port", Integer.toString(port));
    }

    private static int ask(HttpClient.Builder client, String url) throws IOException, InterruptedException {
        return client.connectTimeout(BOUND)
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create(url)).timeout(BOUND).build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private MetricReporter open() {
        MetricReporter reporter = new OneAddressPrometheusReporterFactory().createMetricReporter(properties);
        reporter.open(new MetricConfig());
        return reporter;
    }

    @Test
    void servesItsRegistryOnLoopback() throws Exception {
        MetricReporter reporter = open();
        try {
            assertThat(ask(HttpClient.newBuilder(), "http://127.0.0.1:" + port + "/metrics"))
                    .isEqualTo(200);
        } finally {
            reporter.close();
        }
    }

    @Test
    @DisplayName(
            "with keys it answers the one who may ask; nobody without a certificate, with another one, or without TLS")
    void oneAsker() throws Exception {
        Path own = SelfSigned.in(directory.resolve("own"), "dns:localhost,ip:127.0.0.1");
        Path asker = SelfSigned.in(directory.resolve("asker"), "dns:generator");
        Path other = SelfSigned.in(directory.resolve("other"), "dns:generator");
        properties.setProperty("certificate", own.resolve("tls.crt").toString());
        properties.setProperty("key", own.resolve("tls.key").toString());
        properties.setProperty("asker", asker.resolve("tls.crt").toString());
        String url = "https://127.0.0.1:" + port + "/metrics";
        MetricReporter reporter = open();
        try {
            assertThat(ask(HttpClient.newBuilder().sslContext(showing(own, asker)), url))
                    .isEqualTo(200);
            assertThatThrownBy(() -> ask(HttpClient.newBuilder().sslContext(showing(own, other)), url))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() ->
                            ask(HttpClient.newBuilder().sslContext(PemFiles.trusting(own.resolve("ca.crt"))), url))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> ask(HttpClient.newBuilder(), url.replace("https", "http")))
                    .isInstanceOf(IOException.class);
            assertThat(ask(HttpClient.newBuilder().sslContext(showing(own, asker)), url))
                    .isEqualTo(200);
        } finally {
            reporter.close();
        }
    }

    private static SSLContext showing(Path server, Path own) {
        return PemFiles.trusting(server.resolve("ca.crt"), own.resolve("tls.crt"), own.resolve("tls.key"));
    }

    @Test
    @DisplayName("a certificate without all that belongs to it is refused, not served plain")
    void incomplete() {
        properties.setProperty("certificate", "/a/tls.crt");
        assertThatThrownBy(this::open).hasMessageContaining("'key'");
    }
}
