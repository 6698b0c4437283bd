package dev.millrace.connectors.testkit.broker;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** What a reader sees of Flink. */
final class ReaderHost implements SourceReaderContext {
    private final SourceHarness.Subtask subtask;
    private final Metrics metrics = new Metrics();
    private final Queue<SourceEvent> events = new ConcurrentLinkedQueue<>();

    ReaderHost(SourceHarness.Subtask subtask) {
        this.subtask = subtask;
    }

    Metrics metrics() {
        return metrics;
    }

    List<SourceEvent> takeEvents() {
        List<SourceEvent> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    @Override
    public SourceReaderMetricGroup metricGroup() {
        return metrics;
    }

    @Override
    public Configuration getConfiguration() {
        return new Configuration();
    }

    @Override
    public String getLocalHostName() {
        return "localhost";
    }

    @Override
    public int getIndexOfSubtask() {
        return subtask.index();
    }

    @Override
    public int currentParallelism() {
        return subtask.parallelism();
    }

    @Override
    public void sendSplitRequest() {
        throw new AssertionError("splits are assigned, not asked for");
    }

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {
        events.add(event);
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
        return SimpleUserCodeClassLoader.create(Thread.currentThread().getContextClassLoader());
    }

    /** Remembers the figures that the contract is about. */
    static final class Metrics extends UnregisteredMetricsGroup implements SourceReaderMetricGroup {
        private final Counter recordsIn = new SimpleCounter();
        private volatile Gauge<Long> pending = () -> -1L;
        private volatile Gauge<?> splitsCounted = () -> -1;

        long readings() {
            return recordsIn.getCount();
        }

        long pendingRecords() {
            return pending.getValue();
        }

        int splitsCounted() {
            return (Integer) splitsCounted.getValue();
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            if (name.equals("splitsCounted")) {
                splitsCounted = gauge;
            }
            return gauge;
        }

        @Override
        public OperatorIOMetricGroup getIOMetricGroup() {
            return new Io(recordsIn);
        }

        @Override
        public Counter getNumRecordsInErrorsCounter() {
            return new SimpleCounter();
        }

        @Override
        public void setPendingBytesGauge(Gauge<Long> gauge) {}

        @Override
        public void setPendingRecordsGauge(Gauge<Long> gauge) {
            pending = gauge;
        }
    }

    private static final class Io extends UnregisteredMetricsGroup implements OperatorIOMetricGroup {
        private final Counter recordsIn;

        private Io(Counter recordsIn) {
            this.recordsIn = recordsIn;
        }

        @Override
        public Counter getNumRecordsInCounter() {
            return recordsIn;
        }

        @Override
        public Counter getNumRecordsOutCounter() {
            return new SimpleCounter();
        }

        @Override
        public Counter getNumBytesInCounter() {
            return new SimpleCounter();
        }

        @Override
        public Counter getNumBytesOutCounter() {
            return new SimpleCounter();
        }
    }
}
