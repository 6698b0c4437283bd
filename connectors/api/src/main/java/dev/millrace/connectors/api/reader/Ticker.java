package dev.millrace.connectors.api.reader;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again, with a pause before each time, on a thread of its own until it is closed. Thread-safe. */
public final class Ticker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

    private final String name;
    private final long pauseMillis;
    private final Runnable work;
    private @Nullable Thread thread;
    private boolean closed;

    /**
     * @param name of the thread
     * @param work is interrupted when this is closed; what it throws is logged, and it is called again
     */
    public Ticker(String name, Duration pause, Runnable work) {
        this.name = name;
        this.pauseMillis = pause.toMillis();
        this.work = work;
    }

    /** Begins, unless it has begun or is closed. */
    public synchronized void start() {
        if (thread == null && !closed) {
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (pause()) {
            try {
                work.run();
            } catch (RuntimeException e) {
                LOG.debug("{} could not do its work this time", name, e);
            }
        }
    }

    private synchronized boolean pause() {
        try {
            if (!closed) {
                wait(pauseMillis);
            }
        } catch (InterruptedException e) {
            closed = true;
        }
        return !closed;
    }

    /** Waits for nothing. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
            notifyAll();
        }
        if (running != null) {
            running.interrupt();
        }
    }
}
