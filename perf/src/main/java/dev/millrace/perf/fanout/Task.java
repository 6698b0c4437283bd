package dev.millrace.perf.fanout;

import dev.millrace.core.reading.Position;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Something that reads a topic on a thread of its own until it is told to end. Its methods are for the thread that tells it. */
abstract class Task implements AutoCloseable {
    private static final long STOP_SECONDS = 20;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable RuntimeException failure;

    Task(String name) {
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    private void run() {
        try {
            read();
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            ended.countDown();
            begun.countDown();
        }
    }

    /** Returns when {@link #isStopping} or when what was asked for is read. */
    abstract void read();

    /** Asks to read up to these ends, and to stop there. */
    abstract void until(Map<Integer, Position> ends);

    /** What has happened since the start and, where the key says so, since the last look; by key. */
    abstract Map<String, String> look();

    /** To be called when the broker has given something, if only the word that there is nothing. */
    final void begun() {
        begun.countDown();
    }

    final boolean isStopping() {
        return stopping;
    }

    final void start() {
        thread.start();
    }

    /** Whether the broker has given something within the bound. */
    final boolean awaitBegin(long boundSeconds) throws InterruptedException {
        boolean inTime = begun.await(boundSeconds, TimeUnit.SECONDS);
        check();
        return inTime;
    }

    /** Stops, at once or when all that was asked for is read; not later than after the bound. */
    final void end(boolean atOnce, long boundSeconds) throws InterruptedException {
        if (atOnce || !ended.await(boundSeconds, TimeUnit.SECONDS)) {
            stopping = true;
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(thread.getName() + " did not stop within " + STOP_SECONDS + " s");
            }
        }
        check();
    }

    private void check() {
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /** Lets the thread end soon, and does not wait for it. */
    @Override
    public final void close() {
        stopping = true;
    }
}
