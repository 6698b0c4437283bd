package dev.millrace.connectors.job.metrics;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.HTTPServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import org.apache.flink.metrics.prometheus.AbstractPrometheusReporter;

/** Flink's own reporter always listens on every address of the machine; this one on the named one only. */
final class OneAddressPrometheusReporter extends AbstractPrometheusReporter {
    private final HTTPServer server;

    OneAddressPrometheusReporter(String host, int port) {
        try {
            server = new HTTPServer(new InetSocketAddress(host, port), registry(this), true);
        } catch (IOException e) {
            throw new UncheckedIOException("metrics cannot be served on " + host + ":" + port, e);
        }
    }

    /** The base class shows its registry to its own package only. */
    private static CollectorRegistry registry(AbstractPrometheusReporter reporter) {
        try {
            Field field = AbstractPrometheusReporter.class.getDeclaredField("registry");
            field.setAccessible(true);
            return (CollectorRegistry) field.get(reporter);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Flink's Prometheus reporter has another registry", e);
        }
    }

    @Override
    public void close() {
        server.stop();
        super.close();
    }
}
