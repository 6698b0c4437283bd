package dev.millrace.perf.result;

import java.util.List;
import java.util.Map;

/**
 * A benchmark, whole; all that a report shows.
 *
 * @param schema {@link #SCHEMA}
 * @param id name of its folder: scenario and time
 * @param settings load, topology and phases as the scenario and the command line have them, by name
 * @param started ISO 8601, UTC
 * @param interrupted whether a person ended it: then the last run is INVALID
 * @param seed of the order of runs, and of the bootstrap
 * @param order subjects in the order in which they ran
 * @param environment of machine and build, by name: what must be alike for two results to be compared
 * @param baseline what the machine did by itself before the first run; what could not be measured is not there
 * @param caveats sentences that stand before any figure
 * @param subjects what was compared: brokers, the first is what the others are held against
 */
public record BenchmarkResult(
        String schema,
        String id,
        String scenario,
        String description,
        Map<String, String> settings,
        String started,
        String ended,
        boolean interrupted,
        long seed,
        List<String> order,
        Map<String, String> environment,
        Map<BaselineFigure, Double> baseline,
        List<String> caveats,
        List<Subject> subjects,
        List<Run> runs,
        List<Comparison> comparisons) {

    public static final String SCHEMA = "millrace-benchmark-1";

    /**
     * One side of the comparison.
     *
     * @param name in {@link Run#subject()}
     * @param version of the broker's server
     * @param floor whether it only shows what the rig itself takes, and is in no comparison
     */
    public record Subject(String name, String broker, String version, boolean floor) {}
}
