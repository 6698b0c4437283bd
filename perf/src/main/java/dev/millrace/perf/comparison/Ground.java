package dev.millrace.perf.comparison;

import dev.millrace.perf.run.Runs;
import dev.millrace.perf.run.stage.Interruption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a benchmark stands on: the machines that all its runs are made on, one after the other. Used by one thread. */
public interface Ground {
    /**
     * Throws UserException when the settings of a run are wrong, something is not built, or what is compared has not the same budget;
     * nothing is started.
     *
     * @param brokers what is compared
     * @param floor a broker that has one run beside them; empty for none
     */
    void check(List<String> brokers, String floor);

    /** Whether stacks of that broker can be there at all. */
    boolean has(String broker);

    /** Options of {@code millrace up} that every stack gets, the scenario's and a person's, by name. */
    Map<String, String> up();

    /** What of machines and build must be alike for two results to be compared, by name. */
    Map<String, String> environment();

    /** Measures the machines and the generator by themselves, as far as that can be done here. */
    Rig rig(Interruption interruption, Consumer<String> progress);

    /** @param results where each run's own files go */
    Runs runs(Path results, Interruption interruption, Consumer<String> progress);

    /** Sentences that stand before any figure, the first one for all. */
    List<String> caveats();

    /**
     * Why figures from here make no verdict, whatever the runs, as a clause that follows "because"; empty when they can make one, with
     * enough runs and an enforced budget.
     */
    String withheld();

    /** The memory that each subject may have, for people. */
    String memory();
}
