package dev.millrace.deploy.local;

import java.util.Map;
import java.util.TreeMap;

/** How far another value of a setting reaches into a stack that is there. */
public enum Reach {
    /** The generator starts again. */
    GENERATOR("the generator starts again"),
    /** The job goes on from a savepoint in new processes. */
    JOB("the job resumes from a savepoint"),
    /** The broker's server starts again on its data; its clients wait. */
    BROKER("the broker starts again on its data, then generator and job"),
    /** The store's process starts again on its data; the job waits. */
    STORE("the store starts again on its data"),
    /** Only who watches over the stack. */
    SUPERVISOR("the supervisor starts again"),
    /** More partitions: the generator starts again as soon as the job reads them. */
    PARTITIONS("the topic gets more partitions; the generator sends to them as soon as the job reads them"),
    /** Open windows and the rows that are stored were made with it. */
    STATE("state and stored windows are dropped; the job reads again all that the broker still keeps"),
    /** Readings that are sent, their ledger or their topic were made with it. */
    READINGS("only without data");

    private static final Map<String, Reach> OF_KEYS = new TreeMap<>();

    static {
        of(
                GENERATOR,
                "rate",
                "shape",
                "shape-rate",
                "shape-period",
                "duration",
                "latency-log",
                "burn-micros",
                "generator-port");
        of(
                JOB,
                "max-ahead",
                "idle-after",
                "parallelism",
                "pre-aggregation-memory",
                "state-memory",
                "rocksdb-metrics",
                "results-send-limit",
                "checkpoint-interval",
                "taskmanager-memory",
                "web-port",
                "metrics-port");
        of(BROKER, "broker-memory", "broker-port");
        of(STORE, "store-port");
        of(SUPERVISOR, "supervisor-port");
        of(PARTITIONS, "partitions");
        of(STATE, "job", "window", "slide", "state-backend", "results");
    }

    private final String effect;

    Reach(String effect) {
        this.effect = effect;
    }

    private static void of(Reach reach, String... keys) {
        for (String key : keys) {
            OF_KEYS.put(key, reach);
        }
    }

    /** That of one setting; one that nothing is said of is bound to the readings. */
    static Reach of(String key) {
        if (key.startsWith("broker.")) {
            return BROKER;
        }
        return key.startsWith("store.") ? STORE : OF_KEYS.getOrDefault(key, READINGS);
    }

    /** What it does to a running stack, as part of a sentence. */
    public String effect() {
        return effect;
    }

    /** Whether the job's processes are replaced. */
    public boolean touchesJob() {
        return this == JOB || this == STATE;
    }
}
