package dev.millrace.deploy.local.lifecycle;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.StoreClient;
import dev.millrace.core.settings.EnvironmentException;
import dev.millrace.deploy.local.RunDirectory;
import dev.millrace.deploy.local.StackState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches the store's rows while the job is changed: how long no new ones came, from the last before to the first after. The
 * looking goes on in a thread of its own; everything is thread-safe.
 */
final class OutputPause implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration END_BOUND = Duration.ofSeconds(2);

    private final String store;
    private final RunDirectory directory;
    private final long begunNanos = System.nanoTime();
    private final List<Long> newRowsNanos = new ArrayList<>();
    private final Thread thread;
    private long cutNanos = Long.MAX_VALUE;
    private volatile boolean closed;

    private OutputPause(String store, RunDirectory directory) {
        this.store = store;
        this.directory = directory;
        this.thread = new Thread(this::look, "output-pause");
        thread.setDaemon(true);
    }

    static OutputPause begin(String store, RunDirectory directory) {
        OutputPause pause = new OutputPause(store, directory);
        pause.thread.start();
        return pause;
    }

    /** From now on rows are those of the new job: the old one's processes are gone, and the new one's have just begun. */
    synchronized void cut() {
        if (!isCut()) {
            cutNanos = System.nanoTime();
        }
    }

    /** Whether a process of the job was replaced. */
    synchronized boolean isCut() {
        return cutNanos != Long.MAX_VALUE;
    }

    /** Seconds; empty while there is no row after the cut. Where none came before it, since this was begun. */
    synchronized OptionalDouble seconds() {
        long before = begunNanos;
        for (long at : newRowsNanos) {
            if (at > cutNanos) {
                return OptionalDouble.of((at - before) / 1e9);
            }
            before = at;
        }
        return OptionalDouble.empty();
    }

    private void look() {
        long rows = 0;
        long lastEnd = Long.MIN_VALUE;
        boolean first = true;
        while (!closed) {
            StackState state = directory.state().orElse(null);
            if (state != null && !state.storeOptions().asMap().isEmpty()) {
                try (StoreClient client = ResultStores.named(store).connect(state.storeOptions())) {
                    while (!closed) {
                        StoreClient.Extent extent = client.extent();
                        if (!first && (extent.rows() > rows || extent.lastWindowEnd() > lastEnd)) {
                            sawRows();
                        }
                        first = false;
                        rows = extent.rows();
                        lastEnd = extent.lastWindowEnd();
                        LockSupport.parkNanos(LOOK.toNanos());
                    }
                } catch (EnvironmentException e) {
                    // It is being replaced as well; its rows are counted again when it is back.
                    LockSupport.parkNanos(LOOK.toNanos());
                }
            } else {
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    private synchronized void sawRows() {
        newRowsNanos.add(System.nanoTime());
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(END_BOUND.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
