package dev.millrace.connectors.stores.duckdb;

import java.io.IOException;
import java.time.Duration;

/** What is dropped: windows and dead letters by event time, tokens by the clock. Used by the housekeeper's thread. */
final class Retention {
    private final Database database;
    private long lookedAtEnd = Long.MIN_VALUE;

    Retention(Database database) {
        this.database = database;
    }

    /** Drops windows and dead letters when a tenth of the retention has gathered beyond it; true when it did. */
    boolean apply() throws IOException {
        long retention = database.settings().retention().toMillis();
        long lastWindowEnd = database.lastWindowEnd();
        return lastWindowEnd == Long.MIN_VALUE ? applyToLetters(retention) : applyToWindows(retention, lastWindowEnd);
    }

    private boolean isSoon(long end, long retention) {
        boolean lookedBefore = lookedAtEnd != Long.MIN_VALUE;
        if (lookedBefore && end - lookedAtEnd < retention / 20) {
            return true;
        }
        lookedAtEnd = end;
        return false;
    }

    /** Latest times stay, so where there are only those the job's progress is the time. */
    private boolean applyToLetters(long retention) throws IOException {
        long completeTo = database.reading(Progress::completeTo);
        boolean isBound = completeTo == Long.MIN_VALUE || completeTo == Long.MAX_VALUE;
        if (isBound || isSoon(completeTo, retention)) {
            return false;
        }
        long bound = completeTo - retention;
        if (bound - read("SELECT coalesce(min(event_time), " + bound + ") FROM dead_letters") < retention / 10) {
            return false;
        }
        database.writing(
                connection -> {
                    Database.execute(connection, "UPDATE _retention SET retained_from = " + bound);
                    Database.execute(connection, "DELETE FROM dead_letters WHERE event_time < " + bound);
                    return bound;
                },
                retained -> {});
        return true;
    }

    private boolean applyToWindows(long retention, long lastWindowEnd) throws IOException {
        if (isSoon(lastWindowEnd, retention)) {
            return false;
        }
        long bound = lastWindowEnd - retention;
        long first = read("SELECT coalesce(min(window_end), " + lastWindowEnd + ") FROM windows");
        if (bound - first < retention / 10) {
            return false;
        }
        database.writing(
                connection -> {
                    // A late reading is dropped only when no window that is kept can have held it.
                    long longest = Database.number(
                            connection, "SELECT coalesce(max(window_end - window_start), 0) FROM windows");
                    Database.execute(connection, "UPDATE _retention SET retained_from = " + bound);
                    Database.execute(connection, "DELETE FROM windows WHERE window_end <= " + bound);
                    Database.execute(connection, "DELETE FROM dead_letters WHERE event_time < " + (bound - longest));
                    return bound;
                },
                retained -> {});
        return true;
    }

    /**
     * Forgets tokens that are so much older than the newest. A job that was away for long sends the blocks of its checkpoint again:
     * while no new token comes, none may go. One of a time to come was taken while the clock was wrong.
     */
    void forgetTokens(Duration kept) {
        database.writing(
                connection -> {
                    Database.execute(
                            connection,
                            "DELETE FROM _commits WHERE taken_millis < (SELECT max(taken_millis) FROM _commits"
                                    + " WHERE taken_millis <= " + System.currentTimeMillis() + ") - "
                                    + kept.toMillis());
                    return true;
                },
                done -> {});
    }

    private long read(String sql) throws IOException {
        return database.reading(connection -> Database.number(connection, sql));
    }
}
