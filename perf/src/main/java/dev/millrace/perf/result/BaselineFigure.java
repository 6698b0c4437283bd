package dev.millrace.perf.result;

import com.fasterxml.jackson.annotation.JsonValue;

/** What the machine does by itself, measured once before the first run: neither broker nor job takes part. */
public enum BaselineFigure {
    FSYNC_P50("fsyncP50Micros", "4 KiB written and forced to the disk, p50", "us", true),
    /** The slowest of some hundred; on a shared disk it is another one each time. */
    FSYNC_P99("fsyncP99Micros", "4 KiB written and forced to the disk, p99", "us", false),
    SEQUENTIAL_WRITE("sequentialWriteMiBPerSecond", "written in one piece and forced to the disk", "MiB/s", true),
    ROUND_TRIP_P50("loopbackRoundTripP50Micros", "64 bytes over loopback and back, p50", "us", true),
    ROUND_TRIP_P99("loopbackRoundTripP99Micros", "64 bytes over loopback and back, p99", "us", false),
    LOOPBACK("loopbackMiBPerSecond", "sent over one loopback connection", "MiB/s", true),
    GENERATOR_ALONE(
            "generatorAlonePerSecond", "readings that the generator alone sends to the floor", "readings/s", true);

    private final String key;
    private final String title;
    private final String unit;
    private final boolean steady;

    BaselineFigure(String key, String title, String unit, boolean steady) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.steady = steady;
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

    /** Whether it is so much the same each time that it tells one machine from another. */
    public boolean isSteady() {
        return steady;
    }
}
