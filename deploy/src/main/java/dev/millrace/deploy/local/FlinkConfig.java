package dev.millrace.deploy.local;

import dev.millrace.connectors.job.TaskBuffers;
import dev.millrace.core.settings.LocalFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Flink's {@code config.yaml} for one process: what belongs to its machine or pod and this stack. Why the values are what they are:
 * the heartbeats so that a death is noticed in seconds, explicit memory because nothing may be guessed on a machine that is
 * shared, no submission and no cancelling by the web page because a stack has exactly one job.
 */
public final class FlinkConfig {
    private static final long MIB = 1L << 20;
    private static final long FRAMEWORK_HEAP = 64 * MIB;
    private static final long OFF_HEAP = 64 * MIB;
    private static final long NETWORK_MIN = 96 * MIB;
    /** Three buffers of 32 KiB: each subtask has a few for every other one. */
    private static final long NETWORK_PER_PAIR = 3 * (32L << 10);

    private static final long HEAP_MIN = 384 * MIB;
    /** RocksDB divides it among the subtasks, and each needs room for two buffers. */
    private static final long STATE_MEMORY_PER_SUBTASK_MIN = 16 * MIB;

    private static final long WRITE_BUFFER_MIN = MIB;
    private static final long WRITE_BUFFER_MAX = 64 * MIB;
    private static final long MANAGED_WITHOUT_ROCKS_DB = 16 * MIB;
    /** What tells a slow disk from a small cache from a large state; each costs a question to RocksDB at every scrape. */
    private static final List<String> ROCKS_DB_METRICS = List.of(
            "actual-delayed-write-rate",
            "is-write-stopped",
            "compaction-pending",
            "num-running-compactions",
            "estimate-pending-compaction-bytes",
            "mem-table-flush-pending",
            "cur-size-all-mem-tables",
            "block-cache-usage",
            "block-cache-pinned-usage",
            "estimate-num-keys",
            "estimate-live-data-size",
            "total-sst-files-size");

    private static final long METASPACE = 160 * MIB;
    private static final long OVERHEAD = 128 * MIB;

    private final RunDirectory directory;
    private final StackSettings settings;
    private final Site site;

    public FlinkConfig(RunDirectory directory, StackSettings settings, Site site) {
        this.directory = directory;
        this.settings = settings;
        this.site = site;
    }

    /** The JobManager's file; returns what it says. */
    public String writeJobManager(Path folder) {
        Map<String, String> values = common();
        values.put("rest.address", site.host(StackState.JOB_MANAGER));
        values.put("rest.bind-address", site.bind());
        int web = site.port(Site.WEB, StackState.JOB_MANAGER);
        values.put("rest.port", Integer.toString(web));
        values.put("rest.bind-port", Integer.toString(web));
        site.flinkKeys().ifPresent(keys -> keys.rest(values));
        // Flink's own is any: a page of somebody else would read the answers.
        values.put("web.access-control-allow-origin", "http://" + site.host(StackState.JOB_MANAGER) + ":" + web);
        values.put("web.submit.enable", "false");
        values.put("web.cancel.enable", "false");
        values.put("web.tmpdir", temporary(folder));
        values.put("blob.server.port", port(Site.BLOB, StackState.JOB_MANAGER));
        values.put("execution.shutdown-on-application-finish", "false");
        // What `status` reads; the default of 10 s would show the lag of ten seconds ago.
        values.put("metrics.fetcher.update-interval", "1000");
        checkpoints(values);
        values.put("pipeline.auto-generate-uids", "false");
        values.put("pipeline.generic-types", "false");
        values.put("pipeline.max-parallelism", "128");
        values.put("$internal.pipeline.job-id", directory.jobId());
        values.put("parallelism.default", settings.text("parallelism"));
        reporter(values, site.port(Site.JOB_MANAGER_METRICS, StackState.JOB_MANAGER));
        return write(folder, values);
    }

    private void checkpoints(Map<String, String> values) {
        String every = Long.toString(dev.millrace.core.settings.Values.duration(settings.text("checkpoint-interval"))
                .toMillis());
        values.put("execution.checkpointing.interval", every + " ms");
        values.put("execution.checkpointing.dir", LocalFolder.location(directory.checkpoints()));
        values.put("execution.checkpointing.savepoint-dir", LocalFolder.location(directory.savepoints()));
        values.put("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        values.put("execution.checkpointing.num-retained", "3");
        values.put("execution.checkpointing.tolerable-failed-checkpoints", "10");
        values.put("execution.state-recovery.claim-mode", "CLAIM");
    }

    /** The TaskManager's file; returns what it says. */
    public String writeTaskManager(Path folder) {
        Map<String, String> values = common();
        // A JobManager that dies between its answer and the registration leaves this process to call the dead one, for
        // as long as this (5 min by default): without HA nothing tells of the next. Then it ends and is started again.
        values.put("taskmanager.registration.timeout", "1 min");
        values.put("taskmanager.host", site.host(StackState.TASK_MANAGER));
        values.put("taskmanager.bind-host", site.bind());
        values.put("taskmanager.rpc.port", port(Site.TASK_RPC, StackState.TASK_MANAGER));
        values.put("taskmanager.data.port", port(Site.TASK_DATA, StackState.TASK_MANAGER));
        values.put("taskmanager.numberOfTaskSlots", settings.text("parallelism"));
        values.put("taskmanager.cpu.cores", settings.text("parallelism"));
        size(values, "framework.heap.size", FRAMEWORK_HEAP);
        size(values, "framework.off-heap.size", OFF_HEAP);
        size(values, "task.heap.size", heapBytes() - FRAMEWORK_HEAP);
        size(values, "task.off-heap.size", OFF_HEAP);
        size(values, "network.min", networkBytes(settings.parallelism()));
        size(values, "network.max", networkBytes(settings.parallelism()));
        values.putAll(TaskBuffers.settings(networkBytes(settings.parallelism()), settings.parallelism()));
        size(values, "managed.size", managedBytes());
        size(values, "jvm-metaspace.size", METASPACE);
        size(values, "jvm-overhead.min", OVERHEAD);
        size(values, "jvm-overhead.max", OVERHEAD);
        if (settings.isRocksDb()) {
            values.put("state.backend.rocksdb.localdir", rocksDbFolder().toString());
            values.put("state.backend.rocksdb.writebuffer.size", writeBufferBytes() + " bytes");
            if (settings.text("rocksdb-metrics").equals("true")) {
                ROCKS_DB_METRICS.forEach(metric -> values.put("state.backend.rocksdb.metrics." + metric, "true"));
            }
        }
        reporter(values, site.port(Site.TASK_MANAGER_METRICS, StackState.TASK_MANAGER));
        return write(folder, values);
    }

    public Path rocksDbFolder() {
        return directory.flinkFolder().resolve("rocksdb");
    }

    /**
     * A part of a subtask's share. A buffer takes its memory in eighths, one at least for each kind of state; with Flink's 64 MiB and a
     * small share they exceed it together at once, and RocksDB flushes again and again what is nearly nothing.
     */
    private long writeBufferBytes() {
        long share = settings.stateMemoryBytes() / settings.parallelism();
        return Math.max(WRITE_BUFFER_MIN, Math.min(WRITE_BUFFER_MAX, share / 8));
    }

    private long managedBytes() {
        return settings.isRocksDb() ? settings.stateMemoryBytes() : MANAGED_WITHOUT_ROCKS_DB;
    }

    /** The TaskManager's heap: what its bound leaves when everything else has its share. */
    public long heapBytes() {
        return settings.taskManagerMemoryBytes() - besidesHeap(settings.parallelism(), managedBytes());
    }

    private static long besidesHeap(int parallelism, long managed) {
        return 2 * OFF_HEAP + networkBytes(parallelism) + managed + METASPACE + OVERHEAD;
    }

    private static long networkBytes(int parallelism) {
        return NETWORK_MIN + Math.max(0, (long) parallelism * parallelism * NETWORK_PER_PAIR - NETWORK_MIN / 2);
    }

    /** The least bound of a TaskManager with so many subtasks and so much memory for RocksDB. */
    static long taskManagerBytesMin(int parallelism, boolean rocksDb, long stateMemory) {
        return HEAP_MIN + besidesHeap(parallelism, rocksDb ? stateMemory : MANAGED_WITHOUT_ROCKS_DB);
    }

    /** The least memory of RocksDB for so many subtasks. */
    static long stateMemoryBytesMin(int parallelism) {
        return parallelism * STATE_MEMORY_PER_SUBTASK_MIN;
    }

    /** The bound of the TaskManager's direct buffers. */
    public long directBytes() {
        return 2 * OFF_HEAP + networkBytes(settings.parallelism());
    }

    public static long metaspaceBytes() {
        return METASPACE;
    }

    private Map<String, String> common() {
        Map<String, String> values = new TreeMap<>();
        values.put("jobmanager.rpc.address", site.host(StackState.JOB_MANAGER));
        values.put("jobmanager.bind-host", site.bind());
        values.put("jobmanager.rpc.port", port(Site.RPC, StackState.JOB_MANAGER));
        values.put("heartbeat.interval", "2 s");
        values.put("metrics.internal.query-service.port", port(Site.FIGURES, ""));
        values.put("heartbeat.timeout", "15 s");
        // A TaskManager that is up before the JobManager waits for so long before it looks again; 10 s by default.
        values.put("cluster.registration.error-delay", "500 ms");
        site.flinkKeys().ifPresent(keys -> keys.internal(values));
        values.put("state.backend.type", settings.isRocksDb() ? "rocksdb" : "hashmap");
        return values;
    }

    private String port(String purpose, String process) {
        return Integer.toString(site.port(purpose, process));
    }

    private static void size(Map<String, String> values, String key, long bytes) {
        values.put("taskmanager.memory." + key, bytes + " bytes");
    }

    private void reporter(Map<String, String> values, int port) {
        values.put("metrics.reporters", "prom");
        String prefix = "metrics.reporter.prom.";
        values.put(prefix + "factory.class", "dev.millrace.connectors.job.metrics.OneAddressPrometheusReporterFactory");
        values.put(prefix + "host", site.bind());
        values.put(prefix + "port", Integer.toString(port));
        site.flinkKeys().ifPresent(keys -> keys.metrics(values, prefix));
    }

    /** What a TaskManager with its settings in {@code folder} writes for itself. */
    public List<Path> scratch(Path folder) {
        return List.of(rocksDbFolder(), Path.of(temporary(folder)));
    }

    private static String temporary(Path folder) {
        return folder.resolve("tmp").toString();
    }

    private static String write(Path folder, Map<String, String> values) {
        values.put("io.tmp.dirs", temporary(folder));
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) ->
                text.append(key).append(": '").append(value.replace("'", "''")).append("'\n"));
        PropertiesFile.replace(folder.resolve("config.yaml"), text.toString());
        return text.toString();
    }
}
