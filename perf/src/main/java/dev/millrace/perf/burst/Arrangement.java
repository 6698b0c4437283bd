package dev.millrace.perf.burst;

import java.util.Locale;

/** How the rows of a burst are sent. In the order that people read them. */
public enum Arrangement {
    /** One thread offers them all and waits for none; the client makes its own batches. What the job's sink does. */
    BATCHED("by one thread that waits for none"),
    /** A fixed number of threads, each of which waits for its send. */
    POOLED("by a pool of threads that each wait for their send"),
    /** A new thread for each row, which waits for its send and ends. */
    THREAD_EACH("by a new thread for each row");

    private final String meaning;

    Arrangement(String meaning) {
        this.meaning = meaning;
    }

    /** Its name in files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For people, as the end of "rows were sent". */
    public String meaning() {
        return meaning;
    }
}
