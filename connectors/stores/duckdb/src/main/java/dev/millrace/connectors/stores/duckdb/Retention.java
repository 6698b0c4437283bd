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

    /** Drops windows when a tenth of the retention has gathered beyond it; true when it did. */
    boolean apply() throws IOException {
        long retention = database.settings().retention().toMillis();
        long lastWindowEnd = database.lastWindowEnd();
        boolean lookedBefore = lookedAtEnd != Long.MIN_VALUE;
        if (lastWindowEnd == Long.MIN_VALUE || (lookedBefore && lastWindowEnd - lookedAtEnd < retention / 20)) {
            return false;
        }
        lookedAtEnd = lastWindowEnd;
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
     * while no new token comes, none may go.
     */
    void forgetTokens(Duration kept) {
        database.writing(
                connection -> {
                    Database.execute(
                            connection,
                            "DELETE FROM _commits WHERE taken_millis < (SELECT max(taken_millis) FROM _commits) - "
                                    + kept.toMillis());
                    return true;
                },
                done -> {});
    }

    private long read(String sql) throws IOException {
        return database.reading(connection -> Database.number(connection, sql));
    }
}
