package dev.millrace.deploy.local;

import dev.millrace.core.settings.Options;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the supervisor says of its stack; kept in {@code endpoints.properties} and served as {@code GET /state}.
 *
 * @param message one sentence for people
 * @param jobJarSha256 of the job jar that runs
 * @param sinceMillis when this state began, epoch milliseconds
 * @param parts by name: broker, store, jobmanager, taskmanager, generator, supervisor
 * @param brokerAddress {@code HOST:PORT}, empty until the broker is up
 * @param brokerOptions how {@code Broker.connect} reaches the broker, with {@code broker.*} of the settings
 * @param storeOptions how {@code ResultStore.connect} reaches the store
 */
public record StackState(
        State state,
        String message,
        String jobJarSha256,
        long sinceMillis,
        Map<String, Part> parts,
        String brokerAddress,
        Options brokerOptions,
        Options storeOptions) {

    public static final String BROKER = "broker";
    public static final String STORE = "store";
    public static final String JOB_MANAGER = "jobmanager";
    public static final String TASK_MANAGER = "taskmanager";
    public static final String GENERATOR = "generator";
    public static final String SUPERVISOR = "supervisor";

    /** The state of a part that a person runs: the stack only uses it. */
    public static final String FOREIGN = "foreign";

    /** The state of a part that has no process here and needs none: it lives in a pod of its own. */
    public static final String ELSEWHERE = "elsewhere";

    /** All of them, in the order they start. */
    public static final List<String> NAMES = List.of(BROKER, STORE, JOB_MANAGER, TASK_MANAGER, GENERATOR, SUPERVISOR);

    /** Where a stack is in its life. */
    public enum State {
        STARTING,
        RUNNING,
        /** A bounded run is through: all windows are closed. */
        FINISHED,
        /** A process cannot be started; the message says which and why. The supervisor goes on trying. */
        FAILED,
        STOPPED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One process.
     *
     * @param pid 0 when it does not run
     * @param state starting, running, restarting, refused, complete, stopped, foreign or elsewhere
     * @param restarts how often the supervisor started it again
     * @param url where people or commands reach it: the web page, the store's or the generator's HTTP; empty for none
     * @param metricsUrl its Prometheus endpoint; empty for none
     * @param ended how it last ended by itself, to go behind "ended"; empty when it did not, or nobody knows
     */
    public record Part(long pid, String state, int restarts, String url, String metricsUrl, String log, String ended) {

        /** One that did not end by itself. */
        public Part(long pid, String state, int restarts, String url, String metricsUrl, String log) {
            this(pid, state, restarts, url, metricsUrl, log, "");
        }

        /** Whether somebody else keeps it alive: a person, or a cluster. */
        public boolean isKeptByOthers() {
            return state.equals(FOREIGN) || state.equals(ELSEWHERE);
        }
    }

    /** The part of that name; one that is not there reads as stopped. */
    public Part part(String name) {
        return parts.getOrDefault(name, new Part(0, "stopped", 0, "", "", ""));
    }

    /** Whether the broker is a person's own. */
    public boolean isForeignBroker() {
        return part(BROKER).state().equals(FOREIGN);
    }

    /** Whether the store is a person's own. */
    public boolean isForeignStore() {
        return part(STORE).state().equals(FOREIGN);
    }

    /** This without what clients are given to connect with, which may be a password. */
    public StackState withoutOptions() {
        return new StackState(
                state, message, jobJarSha256, sinceMillis, parts, brokerAddress, Options.none(), Options.none());
    }

    /** As properties. */
    public Map<String, String> toProperties() {
        Map<String, String> values = new TreeMap<>();
        values.put("state", state.word());
        values.put("message", message);
        values.put("job-jar-sha256", jobJarSha256);
        values.put("since", Long.toString(sinceMillis));
        values.put("broker-address", brokerAddress);
        parts.forEach((name, part) -> {
            String prefix = "part." + name + ".";
            values.put(prefix + "pid", Long.toString(part.pid()));
            values.put(prefix + "state", part.state());
            values.put(prefix + "restarts", Integer.toString(part.restarts()));
            values.put(prefix + "url", part.url());
            values.put(prefix + "metrics-url", part.metricsUrl());
            values.put(prefix + "log", part.log());
            values.put(prefix + "ended", part.ended());
        });
        brokerOptions.asMap().forEach((key, value) -> values.put("broker-options." + key, value));
        storeOptions.asMap().forEach((key, value) -> values.put("store-options." + key, value));
        return values;
    }

    /** Reads {@link #toProperties} back; what an older supervisor did not write reads as empty. */
    public static StackState of(Map<String, String> values) {
        Options all = Options.of(values);
        Map<String, Part> parts = new LinkedHashMap<>();
        for (String name : NAMES) {
            Options one = all.under("part." + name + ".");
            if (!one.asMap().isEmpty()) {
                parts.put(
                        name,
                        new Part(
                                Long.parseLong(one.get("pid").orElse("0")),
                                one.get("state").orElse("stopped"),
                                Integer.parseInt(one.get("restarts").orElse("0")),
                                one.get("url").orElse(""),
                                one.get("metrics-url").orElse(""),
                                one.get("log").orElse(""),
                                one.get("ended").orElse("")));
            }
        }
        return new StackState(
                State.valueOf(all.get("state").orElse("stopped").toUpperCase(Locale.ROOT)),
                all.get("message").orElse(""),
                all.get("job-jar-sha256").orElse(""),
                Long.parseLong(all.get("since").orElse("0")),
                parts,
                all.get("broker-address").orElse(""),
                all.under("broker-options."),
                all.under("store-options."));
    }
}
