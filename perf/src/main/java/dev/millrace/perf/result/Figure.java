package dev.millrace.perf.result;

import com.fasterxml.jackson.annotation.JsonValue;

/** A number that every run has one of, or has not. A run is the unit of every interval: a figure is never of a part of one. */
public enum Figure {
    ACCEPTED_RATE("acceptedPerSecond", "readings accepted by the broker", "readings/s", Better.HIGHER),
    PROCESSED_RATE("processedPerSecond", "readings processed by the job", "readings/s", Better.HIGHER),
    SEND_P50("sendP50Millis", "intended send time to accepted, p50", "ms", Better.LOWER),
    SEND_P99("sendP99Millis", "intended send time to accepted, p99", "ms", Better.LOWER),
    SEND_P999("sendP999Millis", "intended send time to accepted, p99.9", "ms", Better.LOWER),
    SEND_MAX("sendMaxMillis", "intended send time to accepted, greatest", "ms", Better.LOWER),
    ROWS_P50("rowsP50Millis", "window due to all its rows visible, p50", "ms", Better.LOWER),
    ROWS_P99("rowsP99Millis", "window due to all its rows visible, p99", "ms", Better.LOWER),
    ROWS_MAX("rowsMaxMillis", "window due to all its rows visible, greatest", "ms", Better.LOWER),
    CPU_BROKER("brokerCpuSecondsPerMillion", "CPU of the broker", "s per million readings", Better.LOWER),
    CPU_JOB("jobCpuSecondsPerMillion", "CPU of the job", "s per million readings", Better.LOWER),
    CPU_STORE("storeCpuSecondsPerMillion", "CPU of the store", "s per million readings", Better.LOWER),
    CPU_GENERATOR("generatorCpuSecondsPerMillion", "CPU of the generator", "s per million readings", Better.LOWER),
    CPU_TOTAL("cpuSecondsPerMillion", "CPU of all processes", "s per million readings", Better.LOWER),
    MEMORY_BROKER("brokerMemoryMiB", "resident memory of the broker, greatest", "MiB", Better.LOWER),
    MEMORY_TOTAL("memoryMiB", "resident memory, each process's greatest added up", "MiB", Better.LOWER),
    COLLECTOR_BROKER(
            "brokerCollectorMillisPerSecond", "broker at rest for its garbage collector", "ms per s", Better.LOWER),
    COLLECTOR_JOB(
            "jobCollectorMillisPerSecond", "TaskManager at rest for its garbage collector", "ms per s", Better.LOWER),
    DISK_WRITTEN_BROKER("brokerWrittenPerPayloadByte", "bytes that the broker wrote", "per payload byte", Better.LOWER),
    LAG_MAX("lagMaxReadings", "readings in the broker that the job had not read, greatest", "readings", Better.LOWER),
    /** Only where a backlog was built and drained. */
    DRAIN_RATE("drainPerSecond", "readings drained from a backlog by the job", "readings/s", Better.HIGHER),
    DRAIN_SECONDS("drainSeconds", "first reading of a backlog processed to its last row visible", "s", Better.LOWER),
    FAN_OUT_RATE(
            "fanOutDeliveredPerSecond", "readings delivered to all groups of one topic", "readings/s", Better.HIGHER),
    FAN_OUT_CPU(
            "fanOutCpuSecondsPerMillion",
            "CPU of broker and readers, groups on one topic",
            "s per million delivered",
            Better.LOWER),
    FAN_OUT_COPIES_CPU(
            "fanOutCopiesCpuSecondsPerMillion",
            "CPU of broker, copier and readers, a topic for each group",
            "s per million delivered",
            Better.LOWER),
    FAN_OUT_COPIES_WRITTEN(
            "fanOutCopiesWrittenPerPayloadByte",
            "bytes that the broker wrote, a topic for each group",
            "per payload byte",
            Better.LOWER),
    BURST_EMPTY("burstEmptyMillis", "burst due to its last row in the result topic, median", "ms", Better.LOWER),
    BURST_RATE("burstRowsPerSecond", "rows of a burst into the result topic, median", "rows/s", Better.HIGHER),
    CORES_MAX("usedCoresMax", "used cores of all processes, greatest second", "cores", Better.LOWER),
    /** Only on instances that were named, and that all have a price. */
    COST("costPerBillion", "price of the instances", "USD per 10^9 readings", Better.LOWER);

    /** Which way is good. */
    public enum Better {
        HIGHER,
        LOWER
    }

    private final String key;
    private final String title;
    private final String unit;
    private final Better better;

    Figure(String key, String title, String unit, Better better) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.better = better;
    }

    /** Its name in files. */
    @JsonValue
    public String key() {
        return key;
    }

    /** Its name for people, in lower case. */
    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    public Better better() {
        return better;
    }
}
