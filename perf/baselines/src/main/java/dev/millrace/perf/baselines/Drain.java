package dev.millrace.perf.baselines;

/** One pass over the topic, under way. */
interface Drain {

    /** Readings that the consuming side has taken from its source so far; any thread may ask. */
    long readings();

    /** Whether it is through, or has failed; any thread may ask. */
    boolean isOver();

    /** Returns when every reading is through, and every row where rows go; throws what made it fail. */
    void await() throws Exception;

    /** Ends it before its time, where that is quick; else returns when it is through by itself. */
    void stop() throws Exception;
}
