package dev.millrace.connectors.testkit.broker;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** What an enumerator sees of Flink: one reader of those that there are, calls on a worker thread, their handlers on the test's thread. */
final class EnumeratorHost<S extends SourceSplit> implements SplitEnumeratorContext<S>, AutoCloseable {
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "contract-enumerator-worker");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Runnable> handlers = new ConcurrentLinkedQueue<>();
    private final List<Periodic> periodics = new ArrayList<>();
    private final List<S> assigned = new ArrayList<>();
    private final SourceHarness.Subtask subtask;
    private boolean noMoreSplits;

    EnumeratorHost(SourceHarness.Subtask subtask) {
        this.subtask = subtask;
    }

    /** Runs the handlers that are due and starts the periodic calls that are. */
    void pump() {
        for (Runnable handler = handlers.poll(); handler != null; handler = handlers.poll()) {
            handler.run();
        }
        long now = System.nanoTime();
        Iterator<Periodic> due = periodics.iterator();
        while (due.hasNext()) {
            Periodic periodic = due.next();
            if (now - periodic.dueNanos >= 0) {
                periodic.dueNanos = now + periodic.everyNanos;
                periodic.start.run();
            }
        }
    }

    List<S> takeAssigned() {
        List<S> taken = List.copyOf(assigned);
        assigned.clear();
        return taken;
    }

    /** Whether the reader is to be told now that no split follows. */
    boolean takeNoMoreSplits() {
        boolean now = noMoreSplits;
        noMoreSplits = false;
        return now;
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
    }

    @Override
    public void sendEventToSourceReader(int subtask, SourceEvent event) {
        throw new AssertionError("the contract has no event for readers");
    }

    @Override
    public int currentParallelism() {
        return subtask.parallelism();
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return Map.of(subtask.index(), new ReaderInfo(subtask.index(), "localhost"));
    }

    @Override
    public void assignSplits(SplitsAssignment<S> assignment) {
        assignment.assignment().values().forEach(assigned::addAll);
    }

    @Override
    public void signalNoMoreSplits(int subtask) {
        noMoreSplits = true;
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        worker.execute(() -> {
            try {
                T value = callable.call();
                handlers.add(() -> handler.accept(value, null));
            } catch (Exception e) {
                handlers.add(() -> handler.accept(null, e));
            }
        });
    }

    @Override
    public <T> void callAsync(
            Callable<T> callable, BiConsumer<T, Throwable> handler, long initialDelayMillis, long periodMillis) {
        Periodic periodic = new Periodic();
        periodic.dueNanos = System.nanoTime() + initialDelayMillis * 1_000_000;
        periodic.everyNanos = periodMillis * 1_000_000;
        periodic.start = () -> callAsync(callable, handler);
        periodics.add(periodic);
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        handlers.add(runnable);
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }

    private static final class Periodic {
        private long dueNanos;
        private long everyNanos;
        private Runnable start;
    }
}
