package dev.millrace.perf.run.exercise;

import dev.millrace.perf.result.Figure;
import dev.millrace.perf.run.stage.Interruption;
import dev.millrace.perf.run.stage.Mark;
import java.util.List;
import java.util.Map;

/**
 * What a section of a scenario adds to a run: it is told of each turn of the run, and what it found is added to the run. One object
 * for one run, used by one thread; it may take its time at each turn, and ends with {@link Interruption.Asked} when a person wants
 * it to.
 */
interface Exercise extends AutoCloseable {
    /** The stack is up, and gets the scenario's load. */
    default void warmUpBegins() {}

    /** Comes again, after its end, where a search lowers the rate and measures once more: then only the last one counts. */
    default void measureBegins(Mark from) {}

    /** The stack is still there, and gets the scenario's load. Afterwards windows that are due are waited for, and the audit runs. */
    default void measureEnded(Mark to) {}

    /** Asked once, when the audit is done. */
    Found found();

    /** Leaves nothing of its own running, whatever happened. */
    @Override
    default void close() {}

    /**
     * What is added to the run.
     *
     * @param reasons why the run is INVALID, a sentence each
     * @param remarks for people, a sentence each; they stand beside the run in the report
     */
    record Found(
            Map<Figure, Double> figures, Map<String, Double> evidence, List<String> reasons, List<String> remarks) {}
}
