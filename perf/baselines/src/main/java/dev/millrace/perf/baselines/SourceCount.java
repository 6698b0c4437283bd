package dev.millrace.perf.baselines;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * How many records the sources of the job in this process have taken: Flink's own {@code numRecordsIn} of every source operator,
 * which the product's source counts in readings. So no job carries a counter of ours. Thread-safe.
 */
final class SourceCount {
    private static volatile SourceCount current = new SourceCount();

    /** Counters stay when a task is over: what it had counted still counts. */
    private final List<Counter> counters = new CopyOnWriteArrayList<>();

    private SourceCount() {}

    /** The count of the job that is started next. */
    static SourceCount begin() {
        current = new SourceCount();
        return current;
    }

    static void configure(Configuration configuration) {
        configuration.setString("metrics.reporters", "count");
        configuration.setString("metrics.reporter.count.factory.class", Factory.class.getName());
    }

    long readings() {
        return counters.stream().mapToLong(Counter::getCount).sum();
    }

    /** Public with a public constructor because Flink makes it by name. */
    public static final class Factory implements MetricReporterFactory {
        @Override
        public MetricReporter createMetricReporter(Properties properties) {
            return new Reporter();
        }
    }

    private static final class Reporter implements MetricReporter {
        @Override
        public void open(MetricConfig config) {}

        @Override
        public void close() {}

        @Override
        public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
            String operator = group.getAllVariables().getOrDefault("<operator_name>", "");
            if (name.equals("numRecordsIn") && operator.startsWith("Source:")) {
                current.counters.add((Counter) metric);
            }
        }

        @Override
        public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
    }
}
