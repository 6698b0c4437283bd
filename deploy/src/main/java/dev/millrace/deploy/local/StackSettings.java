package dev.millrace.deploy.local;

import dev.millrace.core.generate.Shape;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The effective settings of a stack: what a person named, and the defaults for the rest. Only {@link #bind} makes one, so
 * every value in it is checked. Immutable and thread-safe.
 */
public final class StackSettings {

    private static final String TOPIC = "readings";
    private static final String RESULTS_TOPIC = "windows";
    private static final String READER_GROUP = "millrace";
    private static final String OWN_DATABASE = "millrace_";

    /**
     * One setting of {@code up}: {@code --name LABEL} on the command line, {@code name=} in a settings file, {@code
     * -Dmillrace.name=} with Maven.
     *
     * @param byDefault null when the setting may be absent
     */
    public record Key(String name, String label, String byDefault, String description) {}

    private static final long TASK_MANAGER_BYTES = 1280L << 20;
    private static final long SUBTASK_BYTES = 128L << 20;
    /** So much of {@link #TASK_MANAGER_BYTES} is RocksDB's; what a person names above or below it is on top of that, or less. */
    private static final long STATE_BYTES = 256L << 20;

    private static final List<String> PASSED_ON = List.of("broker.", "store.");

    private final Options values;
    private final Options named;

    private StackSettings(Options values, Options named) {
        this.values = values;
        this.named = named;
    }

    /** Every setting, in the order people should read them. */
    public static List<Key> keys() {
        return SettingKeys.ALL;
    }

    /** Whether the key goes to the broker or the store as it is: {@code broker.KEY}, {@code store.KEY}. */
    public static boolean isPassedOn(String key) {
        return PASSED_ON.stream().anyMatch(prefix -> key.startsWith(prefix) && key.length() > prefix.length());
    }

    /** Checks everything and reports all problems at once; {@code broker} may be absent here. */
    public static StackSettings bind(String what, Options given) {
        return bind(what, given, true);
    }

    /**
     * What a person names of a stack that may be there with other settings: each by itself is checked here, and what must fit another
     * one by {@link #over} or {@link #whole}.
     */
    public static StackSettings named(String what, Options given) {
        return bind(what, given, false);
    }

    /** What a person names of the stack in {@code directory}, which need not be there. */
    public static StackSettings named(String what, Options given, RunDirectory directory) {
        return bind(what, given, !Files.isRegularFile(directory.stackFile()));
    }

    private static StackSettings bind(String what, Options given, boolean whole) {
        Map<String, String> full = new TreeMap<>();
        SettingKeys.ALL.forEach(key -> {
            if (key.byDefault() != null) {
                full.put(key.name(), key.byDefault());
            }
        });
        full.putAll(given.asMap());
        full.putIfAbsent("slide", full.get("window"));
        full.computeIfPresent(
                "plugin-dir",
                (key, dir) -> Path.of(dir).toAbsolutePath().normalize().toString());
        Options effective = Options.of(full);
        return effective.bind(what, binder -> {
            new SettingsCheck(binder, effective, whole).check();
            return new StackSettings(effective, given);
        });
    }

    /** These settings of a stack that is not there: what nobody named is by default. */
    public StackSettings whole() {
        return bind("up", named);
    }

    /** These settings on a stack that is there: what nobody named stays as it is. */
    public StackSettings over(StackSettings there) {
        return bind("up", Inherited.under(this, named, there));
    }

    boolean tumbles() {
        return text("slide").equals(text("window"));
    }

    /** The same without some that may be absent. */
    public StackSettings without(List<String> keys) {
        Map<String, String> left = new TreeMap<>(values.asMap());
        left.keySet().removeAll(keys);
        return bind("up", Options.of(left));
    }

    /** The same with another value, checked anew. */
    public StackSettings with(String key, String value) {
        return bind(key, values.with(key, value));
    }

    /** All of it, as written to {@code stack.properties}. */
    public Options values() {
        return values;
    }

    /** The value as text; for keys that have a default or were checked to be there. */
    public String text(String key) {
        return values.get(key).orElse("");
    }

    /** Empty when nobody named one. */
    public String broker() {
        return text("broker");
    }

    /** Whether the broker is a person's own: only used, never started or stopped. */
    public boolean isForeignBroker() {
        return values.get("address").isPresent();
    }

    /** How clients reach a broker that is a person's own. */
    public Options foreignBrokerOptions() {
        return brokerOptions().with("address", text("address"));
    }

    /**
     * These settings with names that a person did not choose, for a broker or a store that others use too.
     *
     * @param id eight hexadecimal digits
     */
    public StackSettings withNames(String id) {
        Options named = values;
        if (isForeignBroker() && named.get("topic-prefix").isEmpty()) {
            named = named.with("topic-prefix", "millrace-" + id + "-");
        }
        if (isForeignStore() && named.get("store-database").isEmpty()) {
            named = named.with("store-database", OWN_DATABASE + id);
        }
        return bind("up", named);
    }

    /** The topic of readings. */
    public String topic() {
        return text("topic-prefix") + TOPIC;
    }

    /** The topic of results ({@link #resultsToTopic}). */
    public String resultsTopic() {
        return text("topic-prefix") + RESULTS_TOPIC;
    }

    public String readerGroup() {
        return text("topic-prefix") + READER_GROUP;
    }

    /** As {@link dev.millrace.connectors.api.broker.TopicSpec} has it: 0 leaves it to the broker's owner. */
    public int replicas() {
        return values.get("replicas").map(text -> (int) whole(text)).orElse(isForeignBroker() ? 0 : 1);
    }

    /** Where the broker's plugin is, when it is none of this clone. */
    public Optional<Path> pluginDir() {
        return values.get("plugin-dir").map(Path::of);
    }

    /** What goes to the broker's plugin, without the prefix. */
    public Options brokerOptions() {
        return values.under("broker.");
    }

    /** What goes to the store, without the prefix. */
    public Options storeOptions() {
        return values.under("store.");
    }

    public String store() {
        return text("store");
    }

    /** Whether the store is a person's own: only used, never started or stopped. */
    public boolean isForeignStore() {
        return values.get("store-url").isPresent();
    }

    /** How clients reach a store that is a person's own. */
    public Options foreignStoreOptions() {
        return storeOptions().with("url", text("store-url")).with("database", text("store-database"));
    }

    /** Whether the database has the name that this stack made up for it; then it goes with the stack. */
    public boolean ownsStoreDatabase() {
        return text("store-database").matches(OWN_DATABASE + "[0-9a-f]{8}");
    }

    public boolean rateIsMax() {
        return text("rate").equals("max");
    }

    /** Readings per second; infinite for {@code max}. */
    public double rateReadingsPerSecond() {
        return rateIsMax() ? Double.POSITIVE_INFINITY : number("rate");
    }

    /** Whether the rate stays as it is; {@code max} does. */
    public boolean isSteady() {
        return kind() == Shape.Kind.CONSTANT;
    }

    private Shape.Kind kind() {
        return Shape.Kind.valueOf(text("shape").toUpperCase(Locale.ROOT));
    }

    /** Seconds of event time in one of the clock. */
    public double acceleration() {
        return Double.parseDouble(text("acceleration"));
    }

    public long devices() {
        return number("devices");
    }

    public boolean hasOtherGenerators() {
        return number("first-device") > 0 || values.get("all-devices").isPresent() && number("all-devices") > devices();
    }

    /** Whether all readings are sent first, then drained. */
    public boolean isBounded() {
        return boundedReadings() > 0;
    }

    /** The number of a bounded run; 0 for an endless one. */
    public long boundedReadings() {
        return number("readings");
    }

    /** How many readings the generator sends in all, by {@code readings} or by {@code duration}; 0 is endless. */
    public long readingsToSend() {
        return values.get("duration")
                .map(text -> Math.max(1, dueWithin(Values.duration(text))))
                .orElse(boundedReadings());
    }

    private long dueWithin(Duration time) {
        if (isSteady()) {
            return Math.round(rateReadingsPerSecond() * time.toMillis() / 1000.0);
        }
        Duration period = Values.duration(text("shape-period"));
        Shape shape = new Shape(kind(), number("rate"), number("shape-rate"), period.toSeconds());
        return shape.schedule(0, (time.toMillis() + 999) / 1000).dueBy(time.toMillis() * 1000 - 1);
    }

    public int payloadBytes() {
        return (int) number("payload-bytes");
    }

    public Duration window() {
        return Values.duration(text("window"));
    }

    public Duration outOfOrderness() {
        return Values.duration(text("out-of-orderness"));
    }

    public int partitions() {
        return (int) number("partitions");
    }

    public int parallelism() {
        return (int) number("parallelism");
    }

    public long retentionBytes() {
        return Values.bytes(text("retention-bytes"));
    }

    public Duration retention() {
        return Values.duration(text("retention"));
    }

    public boolean resultsToTopic() {
        return text("results").equals("topic");
    }

    /** Whether the job is the second one: when each device last sent each event type. */
    public boolean isLatestTimes() {
        return text("job").equals("latest-times");
    }

    long stateMemoryBytes() {
        return Values.bytes(text("state-memory"));
    }

    public boolean isRocksDb() {
        return text("state-backend").equals("rocksdb");
    }

    public long taskManagerMemoryBytes() {
        return values.get("taskmanager-memory")
                .map(Values::bytes)
                .orElse(TASK_MANAGER_BYTES
                        + Math.max(0, parallelism() - 2) * SUBTASK_BYTES
                        + (isRocksDb() ? stateMemoryBytes() - STATE_BYTES : 0));
    }

    /** A port that a person named. */
    public Optional<Integer> port(String key) {
        return values.get(key).map(text -> (int) whole(text));
    }

    /** The ports that a person named, by key: behind the JobManager's metrics come the TaskManager's. */
    public Map<String, List<Integer>> ports() {
        Map<String, List<Integer>> ports = new TreeMap<>();
        values.asMap().keySet().stream()
                .filter(key -> key.endsWith("-port") && !isPassedOn(key))
                .forEach(key -> {
                    int port = port(key).orElseThrow();
                    ports.put(key, key.equals("metrics-port") ? List.of(port, port + 1) : List.of(port));
                });
        return ports;
    }

    private long number(String key) {
        return whole(text(key));
    }

    /** As the check of the settings reads it: {@code 20_000} is a number, too. */
    private static long whole(String text) {
        return Long.parseLong(text.replace("_", ""));
    }

    /** One setting that two stacks do not share. */
    public record Difference(String key, String here, String there) {

        /** Between a number of readings per second and {@code max} the schedule does not go on. */
        public Reach reach() {
            return key.equals("rate") && (here.equals("max") || there.equals("max")) ? Reach.READINGS : Reach.of(key);
        }

        @Override
        public String toString() {
            // What goes to a broker or a store may be a password.
            return isPassedOn(key)
                    ? key + ": another value"
                    : key + ": " + (here.isEmpty() ? "(not set)" : here) + " -> "
                            + (there.isEmpty() ? "(not set)" : there);
        }
    }

    /** What cannot be changed to {@code other} while the stack's data stay: one sentence for each setting. */
    public List<String> boundToData(StackSettings other) {
        return differences(other).stream()
                .filter(difference -> List.of(Reach.STATE, Reach.READINGS).contains(difference.reach()))
                .map(Difference::toString)
                .toList();
    }

    /** What differs from this to {@code other}, by key. */
    public List<Difference> differences(StackSettings other) {
        Map<String, String> all = new TreeMap<>(values.asMap());
        all.putAll(other.values.asMap());
        List<Difference> found = new ArrayList<>();
        for (String key : all.keySet()) {
            boolean follows = key.equals("slide") && tumbles() && other.tumbles();
            if (!text(key).equals(other.text(key)) && !follows) {
                found.add(new Difference(key, text(key), other.text(key)));
            }
        }
        return found;
    }
}
