package dev.millrace.perf.round;

/** What a benchmark in rounds has found so far. */
public interface RoundResult {

    /** Whether nothing was measured yet. */
    boolean isEmpty();

    /** One document; a number that is not known is null. */
    String json();

    /** Tables and sentences, for a person. */
    String text();
}
