package dev.millrace.connectors.job.metrics;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.HTTPServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.apache.flink.metrics.prometheus.AbstractPrometheusReporter;

/** Flink's own reporter listens on every address of the machine, and plain; this one on the named one only, and with TLS where it has keys. */
final class OneAddressPrometheusReporter extends AbstractPrometheusReporter {
    /** Connections that wait to be taken: as many as the library takes by itself. */
    private static final int BACKLOG = 3;

    private final HTTPServer server;

    /** @param tls shows who answers, and knows who may ask; empty for plain */
    OneAddressPrometheusReporter(InetSocketAddress address, Optional<SSLContext> tls) {
        try {
            HttpServer http = tls.isPresent() ? encrypted(address, tls.get()) : HttpServer.create(address, BACKLOG);
            server = new HTTPServer(http, registry(this), true);
        } catch (IOException e) {
            throw new UncheckedIOException("metrics cannot be served on " + address, e);
        }
    }

    private static HttpServer encrypted(InetSocketAddress address, SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        return server;
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
