package dev.millrace.connectors.job.metrics;

import dev.millrace.core.tls.PemFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * {@code metrics.reporter.NAME.factory.class}; takes {@code port} and {@code host} (default: 127.0.0.1). With PEM files
 * {@code certificate}, {@code key} and {@code asker} it speaks TLS, and answers only those who show the certificate in
 * {@code asker}; all three or none.
 */
public final class OneAddressPrometheusReporterFactory implements MetricReporterFactory {

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return new OneAddressPrometheusReporter(
                new InetSocketAddress(
                        properties.getProperty("host", "127.0.0.1"), Integer.parseInt(properties.getProperty("port"))),
                tls(properties));
    }

    private static Optional<SSLContext> tls(Properties properties) {
        if (!properties.containsKey("certificate")) {
            return Optional.empty();
        }
        return Optional.of(
                PemFiles.server(path(properties, "certificate"), path(properties, "key"), path(properties, "asker")));
    }

    private static Path path(Properties properties, String key) {
        String value = properties.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException(
                    "a metrics reporter with a certificate wants '" + key + "' too: a PEM file");
        }
        return Path.of(value);
    }
}
