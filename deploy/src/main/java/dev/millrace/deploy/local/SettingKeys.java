package dev.millrace.deploy.local;

import dev.millrace.deploy.local.StackSettings.Key;
import java.util.List;

/** The table of what `up` can be told, in the order people should read it. */
final class SettingKeys {
    static final List<Key> ALL = List.of(
            new Key("broker", "BROKER", null, "the broker; `millrace brokers` lists them"),
            new Key(
                    "plugin-dir",
                    "DIR",
                    null,
                    "the broker's plugin is the one in this folder of jars, from outside this clone"),
            new Key("address", "HOST:PORT", null, "a broker of your own, running there, is used; none is started"),
            new Key(
                    "topic-prefix",
                    "PREFIX",
                    null,
                    "begins the names of topics and reader group (with --address by default millrace-ID-)"),
            new Key("replicas", "N", null, "of each topic (default: 1; with --address what its owner has set)"),
            new Key(
                    "rate",
                    "N|max",
                    "10000",
                    "readings per second, a whole number; max is as fast as the broker takes them"),
            new Key(
                    "shape",
                    "constant|step|ramp|sine|burst",
                    "constant",
                    "how the rate moves to --shape-rate: after a period, evenly over one, to and fro once in each, or there in the"
                            + " first tenth of each"),
            new Key("shape-rate", "N", null, "the other rate of --shape, readings per second"),
            new Key("shape-period", "TIME", "1m", "the period of --shape, whole seconds"),
            new Key("devices", "N", "1000", "how many devices send readings, at most 1000000"),
            new Key(
                    "first-device",
                    "N",
                    "0",
                    "number of the first; of several generators on one topic each has its own"),
            new Key("all-devices", "N", null, "of all generators on the topic together (default: of this one)"),
            new Key(
                    "job",
                    "windows|latest-times",
                    "windows",
                    "windows of each device, or when each device last sent each event type"),
            new Key("window", "TIME", "10s", "length of a window of event time"),
            new Key("slide", "TIME", null, "how often a window starts (default: the window, so they tumble)"),
            new Key("out-of-orderness", "TIME", "5s", "how far a reading may be behind and be on time"),
            new Key(
                    "max-ahead",
                    "TIME",
                    "1h",
                    "how far ahead of its arrival a reading may be; 0s: any (--start, --acceleration, max: 0s)"),
            new Key(
                    "idle-after",
                    "TIME",
                    "2m",
                    "silence after which a partition without backlog is idle; a subtask that was idle merges no readings before"
                            + " they cross the network until the job starts again, which takes more CPU"),
            new Key("duration", "TIME", null, "the generator stops after this much of its schedule"),
            new Key("readings", "N", "0", "a bounded run: send N, then drain them and finish (0: endless)"),
            new Key("start", "MILLIS", null, "event time of the first reading, epoch milliseconds (default: now)"),
            new Key(
                    "acceleration",
                    "N",
                    "1",
                    "seconds of event time that pass in one; rates are per second of event time"),
            new Key("seed", "N", "1", "the same seed and start give the same readings"),
            new Key("payload-bytes", "N", "300", "bytes of a reading, 200 to 16777216"),
            new Key("payload-entropy", "SHARE", "1.0", "share of the filler that does not compress"),
            new Key("skew", "uniform|zipf", "uniform", "how readings spread over the devices"),
            new Key("out-of-order-share", "SHARE", "0", "share of readings that are behind, within the bound"),
            new Key("late-share", "SHARE", "0", "share of readings that are behind the bound"),
            new Key(
                    "latency-log",
                    "true|false",
                    "false",
                    "the generator keeps how long sends took, by the second, in generator/latency.hlog"),
            new Key(
                    "burn-micros",
                    "N",
                    "0",
                    "CPU time that the generator spends on nothing for each reading: plants a difference for a benchmark to find"),
            new Key("partitions", "N", "4", "partitions of the topic"),
            new Key("parallelism", "N", "2", "subtasks of the job"),
            new Key("retention-bytes", "SIZE", "1GiB", "bytes of readings that the broker keeps"),
            new Key("retention", "TIME", "24h", "age of readings that the broker keeps"),
            new Key("results", "store|topic", "store", "topic: also write the windows to a topic"),
            new Key(
                    "results-send-limit",
                    "TIME",
                    null,
                    "with --results topic: a row that the broker has not acknowledged by then starts the job again from its"
                            + " checkpoint (default, and with 0s: it waits)"),
            new Key("store", "STORE", "duckdb", "where windows go: duckdb (lives with the stack) or clickhouse"),
            new Key(
                    "store-url",
                    "URL",
                    null,
                    "a ClickHouse of your own, such as http://HOST:8123 or https://HOST:8443"),
            new Key(
                    "store-database",
                    "NAME",
                    null,
                    "its database; it stays when the stack goes (default: millrace_ID, which goes too)"),
            new Key("state-backend", "heap|rocksdb", "heap", "where the job's state lives"),
            new Key(
                    "state-memory",
                    "SIZE",
                    "256MiB",
                    "RocksDB's caches and buffers, of the TaskManager's memory; state beyond it is on disk"),
            new Key("rocksdb-metrics", "true|false", "false", "RocksDB's own figures among the TaskManager's metrics"),
            new Key(
                    "pre-aggregation-memory",
                    "SIZE",
                    "64MiB",
                    "where each subtask merges readings before they cross the network; 0 merges none"),
            new Key("checkpoint-interval", "TIME", "1s", "time between two checkpoints"),
            new Key("broker-memory", "SIZE", null, "bound of the broker's process (default: the broker's own)"),
            new Key(
                    "taskmanager-memory",
                    "SIZE",
                    null,
                    "bound of the TaskManager's process (default: 1280MiB, 128MiB for each subtask above 2, state memory above 256MiB)"),
            new Key("broker-port", "PORT", null, "the broker's port (default: its well-known one, or next free)"),
            new Key("store-port", "PORT", null, "the store's port (default: 8123, or next free)"),
            new Key("web-port", "PORT", null, "Flink's web page (default: 8081, or next free)"),
            new Key("generator-port", "PORT", null, "the generator's HTTP (default: 8090, or next free)"),
            new Key("supervisor-port", "PORT", null, "the supervisor's HTTP (default: 8091, or next free)"),
            new Key(
                    "metrics-port",
                    "PORT",
                    null,
                    "JobManager's metrics, TaskManager's behind it (default: 9249, or next free)"));

    private SettingKeys() {}
}
