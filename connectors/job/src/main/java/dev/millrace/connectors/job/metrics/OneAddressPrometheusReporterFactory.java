package dev.millrace.connectors.job.metrics;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** {@code metrics.reporter.NAME.factory.class}; takes {@code port} and {@code host} (default: 127.0.0.1). */
public final class OneAddressPrometheusReporterFactory implements MetricReporterFactory {

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return new OneAddressPrometheusReporter(
                properties.getProperty("host", "127.0.0.1"), Integer.parseInt(properties.getProperty("port")));
    }
}
