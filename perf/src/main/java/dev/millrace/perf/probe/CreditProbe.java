package dev.millrace.perf.probe;

import java.util.Map;

/**
 * Counts how often a node was held back because credits or a burst balance had run out, as far as the node itself can know.
 * Thread-safe.
 */
@FunctionalInterface
public interface CreditProbe {

    /** What was counted since the node started, by the counter's name; empty where nothing counts that. Takes some seconds at most. */
    Map<String, Long> heldBack();
}
