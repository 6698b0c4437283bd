package dev.millrace.perf.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart with its text alternative.
 *
 * @param id unique in the page: letters, digits and hyphens
 * @param note what is drawn, for people who see it
 * @param label what is drawn, for people who do not
 * @param table its numbers
 * @param drawing what the page's script draws; only VALID runs are in it
 */
record Chart(String id, String title, String note, String label, Grid table, Drawing drawing) {

    /** Of one kind, which the script names too. */
    sealed interface Drawing {
        String kind();
    }

    /**
     * Curves over time.
     *
     * @param seconds of the longest run
     * @param lines points are second and value, null where nothing is known
     */
    record Times(String unit, int seconds, List<Phase> phases, List<Line> lines) implements Drawing {
        @Override
        public String kind() {
            return "times";
        }
    }

    /**
     * Latency by percentile.
     *
     * @param lines points are quantile, below 1, and milliseconds
     */
    record Percentiles(List<Line> lines) implements Drawing {
        @Override
        public String kind() {
            return "percentiles";
        }
    }

    /**
     * Intervals of ratios, one below the other.
     *
     * @param a what is held against
     */
    record Ratios(String a, String b, List<Interval> intervals) implements Drawing {
        @Override
        public String kind() {
            return "ratios";
        }
    }

    /**
     * Bars, a group for each subject.
     *
     * @param subjects each with how many runs it has
     * @param sums of the parts of each subject, null where one of them is not known; empty where they do not add up
     */
    record Bars(String unit, List<@Nullable Double> sums, List<String> subjects, List<Part> parts) implements Drawing {
        @Override
        public String kind() {
            return "bars";
        }
    }

    /**
     * Distances of clocks with what they are unsure by, one below the other.
     *
     * @param distances of runs and pairs of nodes
     */
    record Clocks(List<Distance> distances) implements Drawing {
        @Override
        public String kind() {
            return "clocks";
        }
    }

    /** Milliseconds; the true offset is between {@code low} and {@code high}. */
    record Distance(String name, String subject, double offset, double low, double high) {}

    /** One run's curve. */
    record Line(String run, String subject, List<@Nullable Double[]> points) {}

    /** Where a phase of the scenario is, seconds. */
    record Phase(String name, double from, double to) {}

    /**
     * One figure.
     *
     * @param bounds of the 95 % interval, lower and upper; empty when there is none
     * @param better subject that is better; empty when none is
     */
    record Interval(String figure, boolean decides, double ratio, List<Double> bounds, String better) {}

    /** One colour of bars; values in the order of subjects, null where nothing is known. */
    record Part(String name, List<@Nullable Double> values) {}
}
