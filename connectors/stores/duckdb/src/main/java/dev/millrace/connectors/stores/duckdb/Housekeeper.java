package dev.millrace.connectors.stores.duckdb;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The one thread that keeps the file bounded: drops what is older than the retention, forgets old tokens, and writes the log
 * into the file. What does not work now is tried again with the next block or after half a minute.
 */
final class Housekeeper implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Housekeeper.class.getName());
    private static final int PERIOD_SECONDS = 30;
    private static final long LOG_BYTES = 64L << 20;
    /** No checkpoint of a job is retained for that long, so no token older than this can come again. */
    private static final Duration TOKENS_KEPT = Duration.ofDays(7);

    private static final Duration TOKENS_EVERY = Duration.ofHours(1);

    private final Database database;
    private final Retention retention;
    private final Semaphore work = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "store-housekeeper");
    private volatile boolean stopping;
    private long tokensForgottenMillis = System.currentTimeMillis();

    Housekeeper(Database database) {
        this.database = database;
        this.retention = new Retention(database);
        thread.setDaemon(true);
        thread.start();
    }

    /** Something was inserted: look soon. */
    void nudge() {
        if (work.availablePermits() == 0) {
            work.release();
        }
    }

    private void run() {
        while (!stopping) {
            try {
                work.tryAcquire(PERIOD_SECONDS, TimeUnit.SECONDS);
                work.drainPermits();
                if (!stopping) {
                    look();
                }
            } catch (InterruptedException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "housekeeping is tried again later: " + e.getMessage());
            }
        }
    }

    private void look() throws IOException {
        boolean dropped = retention.apply();
        long now = System.currentTimeMillis();
        if (now - tokensForgottenMillis > TOKENS_EVERY.toMillis()) {
            tokensForgottenMillis = now;
            retention.forgetTokens(TOKENS_KEPT);
        }
        if (dropped || database.logBytes() > LOG_BYTES) {
            database.checkpoint();
        }
    }

    @Override
    public void close() {
        stopping = true;
        nudge();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
