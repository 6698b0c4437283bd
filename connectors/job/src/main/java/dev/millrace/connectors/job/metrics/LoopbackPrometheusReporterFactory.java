package dev.millrace.connectors.job.metrics;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** {@code metrics.reporter.NAME.factory.class}; takes {@code port}. */
public final class LoopbackPrometheusReporterFactory implements MetricReporterFactory {

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return new LoopbackPrometheusReporter(Integer.parseInt(properties.getProperty("port")));
    }
}
