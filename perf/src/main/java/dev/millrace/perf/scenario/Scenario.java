package dev.millrace.perf.scenario;

import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import dev.millrace.deploy.local.StackSettings;
import dev.millrace.perf.result.Figure;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a benchmark does, as a file of {@code perf/scenarios} says it. Only {@link ScenarioFile} makes one, so every value is
 * checked.
 *
 * @param name the file's, without its ending
 * @param description a sentence for people
 * @param brokers compared when the command line names none; empty: all that are built, but for the floor
 * @param floor the broker that shows what the rig itself takes, in one run; empty for none
 * @param pairs how many blocks, each with one run of every broker
 * @param decides whose interval makes the verdict; the other figures stand beside it
 * @param load options of {@code millrace up} that make the readings, by name
 * @param topology options of {@code millrace up} for topic, job and store, by name
 * @param durability which durability brokers are asked for
 * @param memoryBytes that a whole stack may have, page cache included, on every broker alike; 0: as much as there is
 * @param warmUp unmeasured, after the stack is up
 * @param measure measured
 * @param search when there is one, the greatest rate that keeps its objective is looked for between warm-up and measured phase
 * @param backlog when there is one, a backlog is built after the measured phase, and drained
 * @param trend when there is one, the measured phase is searched for what grows
 * @param fanOut when there is one, reader groups read beside the job behind the measured phase
 * @param burst when there is one, the rows of each window end are measured on their way into the result topic
 * @param checks bounds beyond those that every run must keep
 */
public record Scenario(
        String name,
        String description,
        List<String> brokers,
        String floor,
        int pairs,
        Figure decides,
        Map<String, String> load,
        Map<String, String> topology,
        Durability durability,
        long memoryBytes,
        Duration warmUp,
        Duration measure,
        Optional<Search> search,
        Optional<Backlog> backlog,
        Optional<Trend> trend,
        Optional<FanOut> fanOut,
        Optional<Burst> burst,
        Checks checks) {
    /** What the bounds are called in files and in results. */
    public static final String CHECKS = "checks";

    /** Durability classes. */
    public enum Durability {
        /** Every broker as its own defaults have it. */
        VENDOR_DEFAULT,
        /** The same number of replicas, and no broker syncs before it acknowledges: held against what each broker says of itself. */
        MATCHED
    }

    /**
     * Bounds that a scenario sets itself.
     *
     * @param rateShare accepted readings, of those that the schedule had, at least
     * @param stealShare time that the hypervisor, or a quota of processor time, took, of the measured time, at most
     * @param neighbourShare time that processes took which are not of the benchmark, of the measured time, at most
     * @param latenessMillis how far the generator may be behind its schedule at any look
     */
    public record Checks(double rateShare, double stealShare, double neighbourShare, long latenessMillis) {}

    /**
     * How capacity is looked for, from the load's rate on.
     *
     * @param most readings per second; no candidate is above this
     * @param step how long a candidate is tried
     * @param precision the search ends when it knows the rate so well, as a share
     * @param sendP99Millis the objective: intended send time to accepted, p99, at most
     */
    public record Search(long most, Duration step, double precision, double sendP99Millis) {}

    /**
     * What is stored while the job is away, and drained when it is back.
     *
     * @param readings so many
     * @param rate readings per second at which they are stored
     * @param bound of storing them, and of draining them
     */
    public record Backlog(long readings, long rate, Duration bound) {}

    /**
     * How trends are looked for, and which of them make a run INVALID. A bound that is not set is infinite.
     *
     * @param confidence that a run without any trend is said to have none, 0 to 1
     * @param block of so much time one value is made
     * @param memoryMiBPerHour that any process's resident memory may grow by
     * @param lagPerHour readings that the lag may grow by
     * @param sendP99MillisPerHour that the p99 of sends may grow by
     */
    public record Trend(
            double confidence,
            Duration block,
            double memoryMiBPerHour,
            double lagPerHour,
            double sendP99MillisPerHour) {}

    /**
     * How several applications read the same readings.
     *
     * @param groups reader groups, 2 to 16
     * @param step how long each arrangement is measured
     * @param slowGroupShare what the slow group reads at most, of the load's rate
     * @param slowedShare what a group that may read everything may miss of the readings, beyond a second of load
     */
    public record FanOut(int groups, Duration step, double slowGroupShare, double slowedShare) {}

    /**
     * What is done about bursts beside measuring them: the same rows are sent again in other ways.
     *
     * @param sends rows of each way; at most so many threads are there at once
     * @param poolThreads of the way with a pool
     */
    public record Burst(int sends, int poolThreads) {}

    /** The same with other phases. */
    public Scenario with(Duration warmUp, Duration measure) {
        return new Scenario(
                name,
                description,
                brokers,
                floor,
                pairs,
                decides,
                load,
                topology,
                durability,
                memoryBytes,
                warmUp,
                measure,
                search,
                backlog,
                trend,
                fanOut,
                burst,
                checks);
    }

    /** The options of {@code millrace up}, by name. */
    public Map<String, String> up() {
        Map<String, String> up = new TreeMap<>(load);
        up.putAll(topology);
        return up;
    }

    /**
     * What it asks for and bounds beyond load, topology and phases, as {@code part.value}: two results in which one of these is
     * another were not measured alike. Bounds that are not set are left out.
     */
    public Map<String, String> demands() {
        Map<String, String> demands = new TreeMap<>();
        search.ifPresent(part -> put("search", part, demands));
        backlog.ifPresent(part -> put("backlog", part, demands));
        trend.ifPresent(part -> put("trend", part, demands));
        fanOut.ifPresent(part -> put("fanOut", part, demands));
        burst.ifPresent(part -> put("burst", part, demands));
        put(CHECKS, checks, demands);
        return demands;
    }

    /** Throws UserException when this scenario, or a section of it, does not go with the load in these settings of a run. */
    public void refuse(StackSettings settings) {
        if (settings.rateIsMax()) {
            throw new UserException(
                    "rate is 'max', but readings of a scenario are due at times of their own, whether or not a stack"
                            + " keeps up; name a number of readings per second (scenario 'capacity' finds the greatest"
                            + " that a stack keeps)");
        }
        if (settings.acceleration() > 1) {
            refuse("acceleration", ScenarioFile.BY_THE_CLOCK);
        }
        if (!settings.isSteady()) {
            refuse("shape", ScenarioFile.OF_ONE_RATE);
        }
        if (burst.isPresent() && !settings.resultsToTopic()) {
            throw new UserException("bursts are measured in the result topic; leave --up results=store out");
        }
        if (burst.isPresent()
                && Values.duration(settings.text("results-send-limit")).isZero()) {
            throw new UserException(
                    "a send of a burst that takes too long must be seen; name results-send-limit, such as 30s");
        }
    }

    /** How many topics like the stack's own are made beside it at a time, each of which keeps as much. */
    public int topicsBeside() {
        return Math.max(fanOut.map(FanOut::groups).orElse(0), burst.isPresent() ? 1 : 0);
    }

    private void refuse(String key, List<String> excluded) {
        Map<String, Optional<?>> sections =
                Map.of("search", search, "backlog", backlog, "fanOut", fanOut, "burst", burst);
        for (String section : excluded) {
            if (sections.get(section).isPresent()) {
                throw new UserException(key + " and the " + section + " of scenario '" + name
                        + "' exclude each other; leave '" + key + "' out, or take another scenario");
            }
        }
    }

    private static void put(String name, Record part, Map<String, String> demands) {
        for (RecordComponent value : part.getClass().getRecordComponents()) {
            try {
                String text = text(value.getAccessor().invoke(part));
                if (!text.isEmpty()) {
                    demands.put(name + "." + value.getName(), text);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static String text(Object value) {
        if (value instanceof Duration duration) {
            return duration.toSeconds() + "s";
        }
        return value instanceof Double number && number.isInfinite() ? "" : value.toString();
    }
}
