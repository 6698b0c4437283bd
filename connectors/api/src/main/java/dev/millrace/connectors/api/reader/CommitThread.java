package dev.millrace.connectors.api.reader;

import dev.millrace.core.reading.Position;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a committer on its own thread; what was not yet committed is overtaken by what comes later. Thread-safe. */
final class CommitThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitThread.class);
    private static final long CLOSE_BOUND_MILLIS = 5_000;

    private final PositionCommitter committer;
    private final Map<String, Position> pending = new HashMap<>();
    /** Of a split that is finished no later checkpoint says anything: what failed goes with what comes next. */
    private final Map<String, Position> failed = new HashMap<>();

    private final Thread thread;
    private boolean closed;

    CommitThread(PositionCommitter committer, int subtask) {
        this.committer = committer;
        this.thread = new Thread(this::run, "millrace-commit-" + subtask);
        thread.setDaemon(true);
        thread.start();
    }

    synchronized void commit(Map<String, Position> positions) {
        pending.putAll(positions);
        failed.forEach(pending::putIfAbsent);
        failed.clear();
        notifyAll();
    }

    private synchronized Map<String, Position> next() throws InterruptedException {
        while (pending.isEmpty() && !closed) {
            wait();
        }
        Map<String, Position> taken = Map.copyOf(pending);
        pending.clear();
        // An older position of these, reported after them, would take the broker back.
        failed.keySet().removeAll(taken.keySet());
        return taken;
    }

    private void run() {
        try {
            for (Map<String, Position> positions = next(); !positions.isEmpty(); positions = next()) {
                commitOnce(positions);
            }
        } catch (InterruptedException e) {
            LOG.debug("the commit thread was interrupted by closing the reader");
        }
    }

    private void commitOnce(Map<String, Position> positions) throws InterruptedException {
        try {
            committer.commit(positions);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            keep(positions);
            LOG.warn("positions were not reported to the broker; the next checkpoint reports them: {}", e.toString());
        }
    }

    private synchronized void keep(Map<String, Position> positions) {
        failed.putAll(positions);
    }

    /** Commits what is pending if that is quick, then ends the thread. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(CLOSE_BOUND_MILLIS / 5);
            committer.close();
            thread.interrupt();
            thread.join(CLOSE_BOUND_MILLIS);
        } catch (InterruptedException e) {
            committer.close();
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
