package dev.millrace.deploy.local;

import dev.millrace.connectors.api.broker.SinkSpec;
import dev.millrace.connectors.api.store.ResultStore;
import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.job.StackJob;
import dev.millrace.core.generate.GeneratorSettings;
import dev.millrace.core.generate.Schedule;
import dev.millrace.core.generate.Shape;
import dev.millrace.core.settings.JobSettings;
import dev.millrace.core.settings.JobSettings.StateBackend;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.core.settings.Values;
import java.time.Duration;
import java.util.List;

/** What must hold of a stack's settings, each by itself and together. */
final class SettingsCheck {
    /** What a broker keeps for a reading beside its payload: key, times, lengths. */
    private static final int BYTES_BESIDE_PAYLOAD = 30;

    private final Options.Binder binder;
    private final Options all;
    private final boolean whole;

    /** @param whole whether {@code all} is all there is: what must fit another setting cannot be told without that one */
    SettingsCheck(Options.Binder binder, Options all, boolean whole) {
        this.binder = binder;
        this.all = all;
        this.whole = whole;
    }

    private void together(String problem) {
        if (whole) {
            binder.problem(problem);
        }
    }

    void check() {
        StackSettings.keys().forEach(key -> binder.string(key.name(), ""));
        all.asMap().keySet().stream().filter(StackSettings::isPassedOn).forEach(key -> binder.string(key, ""));
        checkBroker();
        checkStore();
        checkLoad();
        Duration window = binder.duration("window", Duration.ofSeconds(10));
        if (binder.duration("slide", window).compareTo(window) > 0) {
            together("'slide' is '" + all.get("slide").orElse("") + "'; it must be at most the window");
        }
        for (String key : List.of("window", "slide", "checkpoint-interval", "retention", "idle-after")) {
            if (binder.duration(key, Duration.ofSeconds(10)).isZero()) {
                binder.problem("'" + key + "' is 0; it must be longer");
            }
        }
        binder.duration("out-of-orderness", Duration.ZERO);
        binder.duration("max-ahead", Duration.ZERO);
        long partitions = binder.integer("partitions", 4, 1, 1024);
        long parallelism = binder.integer("parallelism", 2, 1, JobSettings.MAX_PARALLELISM);
        if (parallelism > partitions) {
            together("'parallelism' is " + parallelism + "; it must be at most the number of partitions (" + partitions
                    + "), or subtasks stand idle");
        }
        if (binder.bytes("broker-memory", 768L << 20) < 256L << 20) {
            binder.problem("'broker-memory' is too small; at least 256MiB");
        }
        long stateMemory = binder.bytes("state-memory", 256L << 20);
        long stateMemoryMin = FlinkConfig.stateMemoryBytesMin((int) parallelism);
        if (stateMemory < stateMemoryMin) {
            together("'state-memory' is too small for parallelism " + parallelism + "; at least "
                    + Values.text(stateMemoryMin));
        }
        boolean rocksDb = binder.oneOf("state-backend", StateBackend.HEAP, StateBackend.class) == StateBackend.ROCKSDB;
        long taskManagerMin =
                Math.max(1L << 30, FlinkConfig.taskManagerBytesMin((int) parallelism, rocksDb, stateMemory));
        if (binder.bytes("taskmanager-memory", Long.MAX_VALUE) < taskManagerMin) {
            together("'taskmanager-memory' is too small for parallelism " + parallelism
                    + (rocksDb ? " and the state memory of " + Values.text(stateMemory) : "") + "; at least "
                    + Values.text(taskManagerMin));
        }
        binder.bytes("pre-aggregation-memory", 64L << 20);
        Results results = binder.oneOf("results", Results.STORE, Results.class);
        if (binder.oneOf("job", StackJob.Kind.WINDOWS, StackJob.Kind.class) == StackJob.Kind.LATEST_TIMES
                && results == Results.TOPIC) {
            together("'results' is 'topic', which is for the job 'windows'; name results=store");
        }
        if (all.get("results-send-limit").isPresent()) {
            checkSendLimit(results);
        }
        binder.flag("rocksdb-metrics", false);
        binder.flag("latency-log", false);
        binder.integer("burn-micros", 0, 0, 1_000_000);
        StackSettings.keys().stream()
                .map(StackSettings.Key::name)
                .filter(name -> name.endsWith("-port"))
                .forEach(name -> binder.integer(name, 1024, 1, 65534));
    }

    private void checkSendLimit(Results results) {
        Duration limit = binder.duration("results-send-limit", SinkSpec.LEAST_SEND_LIMIT);
        if (limit.isZero()) {
            // None, as without it: so a stack that has one gets rid of it.
            return;
        }
        if (limit.compareTo(SinkSpec.LEAST_SEND_LIMIT) < 0) {
            binder.problem("'results-send-limit' is too short; at least 1s, or 0s for none");
        }
        if (results == Results.STORE) {
            together("'results-send-limit' is of the result topic; name results=topic, or 0s for none");
        }
    }

    private void checkBroker() {
        if (all.get("broker.address").isPresent()) {
            binder.problem("'broker.address' is said by 'address'");
        }
        if (all.get("address").isPresent()) {
            for (String ofServer : List.of("broker-port", "broker-memory")) {
                if (all.get(ofServer).isPresent()) {
                    together("'address' and '" + ofServer + "' exclude each other: no broker is started");
                }
            }
        }
        String prefix = all.get("topic-prefix").orElse("");
        if (!prefix.matches("[A-Za-z0-9._-]{0,100}")) {
            binder.problem("'topic-prefix' is '" + prefix + "'; at most 100 letters, digits, points, - and _");
        }
        binder.integer("replicas", 1, 1, Short.MAX_VALUE);
    }

    private void checkStore() {
        for (String said : List.of("url", "database")) {
            if (all.get("store." + said).isPresent()) {
                binder.problem("'store." + said + "' is said by 'store-" + said + "'");
            }
        }
        boolean foreign = all.get("store-url").isPresent();
        if (foreign && all.get("store-port").isPresent()) {
            together("'store-url' and 'store-port' exclude each other: no store is started");
        }
        if (!foreign && all.get("store-database").isPresent()) {
            together("'store-database' is of a store of your own; name that by 'store-url'");
        }
        try {
            checkWhoRunsStore(ResultStores.named(all.get("store").orElse("")), foreign);
        } catch (UserException e) {
            binder.problem(e.getMessage());
        }
    }

    private void checkWhoRunsStore(ResultStore store, boolean foreign) {
        if (store.isEmbedded() && foreign) {
            together(
                    "store '" + store.name() + "' lives with its stack and has no 'store-url'; for a ClickHouse of your"
                            + " own say store=clickhouse too");
        }
        if (!store.isEmbedded() && !foreign) {
            together("store '" + store.name() + "' is none that Millrace starts; say where yours runs, such as"
                    + " store-url=http://HOST:8123");
        }
    }

    private void checkLoad() {
        boolean rateIsMax = all.get("rate").orElse("").equals("max");
        if (!rateIsMax && !isRate(all.get("rate").orElse(""))) {
            binder.problem("'rate' is '" + all.get("rate").orElse("")
                    + "'; it must be a whole number of readings per second from 1 to " + Schedule.MAX_RATE
                    + ", or max");
        }
        long devices = binder.integer("devices", 1000, 1, GeneratorSettings.MAX_DEVICES);
        long firstDevice = binder.integer("first-device", 0, 0, GeneratorSettings.MAX_ALL_DEVICES - 1);
        long allDevices = binder.integer("all-devices", firstDevice + devices, 1, GeneratorSettings.MAX_ALL_DEVICES);
        if (firstDevice + devices > allDevices) {
            together("'all-devices' is " + allDevices + "; there are " + devices + " here, behind the first "
                    + firstDevice);
        }
        long readings = binder.integer("readings", 0, 0, 1_000_000_000_000L);
        binder.integer("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        binder.integer("start", 0, 0, Schedule.MAX_START_MILLIS);
        double acceleration = binder.decimal("acceleration", 1, 1, 1_000_000);
        if (acceleration > 1 && all.get("start").isPresent()) {
            together("'acceleration' and 'start' exclude each other; name one");
        }
        long payloadBytes = binder.integer(
                "payload-bytes", 300, GeneratorSettings.MIN_PAYLOAD_BYTES, GeneratorSettings.MAX_PAYLOAD_BYTES);
        binder.decimal("payload-entropy", 1, 0, 1);
        binder.decimal("out-of-order-share", 0, 0, 1);
        binder.decimal("late-share", 0, 0, 1);
        binder.oneOf("skew", Skew.UNIFORM, Skew.class);
        double shapeRate = checkShape(rateIsMax, acceleration);
        if (shapeRate > 0 && readings > 0) {
            together("'shape' and 'readings' exclude each other: a bounded run has one rate");
        }
        if (all.get("duration").isPresent()) {
            binder.duration("duration", Duration.ofSeconds(1));
            if (readings > 0) {
                together("'duration' and 'readings' exclude each other; name one");
            }
            if (rateIsMax) {
                together("'duration' needs a rate that is a number; with rate max name 'readings'");
            }
        }
        checkRetention(readings, payloadBytes);
    }

    /** The other rate of a shape; 0 where the rate is constant. */
    private double checkShape(boolean rateIsMax, double acceleration) {
        Shape.Kind kind = binder.oneOf("shape", Shape.Kind.CONSTANT, Shape.Kind.class);
        Duration period = binder.duration("shape-period", Duration.ofMinutes(1));
        if (period.toMillis() < 1000 || period.toMillis() % 1000 != 0) {
            binder.problem("'shape-period' is '" + Values.text(period) + "'; it must be whole seconds, at least 1s");
        }
        boolean named = all.get("shape-rate").isPresent();
        long rate = binder.integer("shape-rate", 0, 0, Schedule.MAX_RATE);
        if (kind == Shape.Kind.CONSTANT) {
            if (named) {
                together("'shape-rate' is of a 'shape' that is not constant; name one, or leave it out");
            }
            return 0;
        }
        if (!named) {
            together("'shape' needs the other rate; name 'shape-rate'");
        }
        if (rateIsMax) {
            together("'shape' needs a rate that is a number");
        }
        if (acceleration > 1) {
            together("'shape' and 'acceleration' exclude each other; name one");
        }
        if (all.get("start").isPresent()) {
            together("'shape' and 'start' exclude each other: a shape is of the clock; name one");
        }
        return rate;
    }

    /** A bounded run sends everything before its job starts: what the broker has dropped by then would be in no window. */
    private void checkRetention(long readings, long payloadBytes) {
        long kept = binder.bytes("retention-bytes", 1L << 30);
        if (kept < 64L << 20) {
            binder.problem("'retention-bytes' is '" + all.get("retention-bytes").orElse("") + "'; at least 64MiB");
        }
        long bytes = (long) ((double) readings * (payloadBytes + BYTES_BESIDE_PAYLOAD));
        if (bytes > kept) {
            together("'retention-bytes' is " + Values.text(kept) + "; it must be at least " + ((bytes >> 20) + 1)
                    + "MiB for " + readings + " readings of " + payloadBytes
                    + " bytes, or the broker drops the oldest before the job reads them");
        }
    }

    private static boolean isRate(String text) {
        try {
            long rate = Long.parseLong(text.replace("_", ""));
            return rate >= 1 && rate <= Schedule.MAX_RATE;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private enum Results {
        STORE,
        TOPIC
    }

    private enum Skew {
        UNIFORM,
        ZIPF
    }
}
