package dev.millrace.connectors.api.store;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The tables of a store. */
public enum StoreTable {
    /** One row for each device and window. */
    WINDOWS("windows", true),
    /** Every payload that is in no other row. */
    DEAD_LETTERS("dead_letters", false),
    /** One row for each device and event type: of those that were inserted, the one with the greatest {@code as_of}. */
    LATEST_TIMES("latest_times", true);

    private final String sqlName;
    private final boolean reportsProgress;

    StoreTable(String sqlName, boolean reportsProgress) {
        this.sqlName = sqlName;
        this.reportsProgress = reportsProgress;
    }

    public String sqlName() {
        return sqlName;
    }

    /** Whether it is what a job is for, so that its blocks say how far the job's rows are complete. */
    public boolean reportsProgress() {
        return reportsProgress;
    }

    /** The table of that name; IllegalArgumentException when there is none. */
    public static StoreTable ofSqlName(String name) {
        for (StoreTable table : values()) {
            if (table.sqlName.equals(name)) {
                return table;
            }
        }
        throw new IllegalArgumentException("there is no table '" + name + "'; there are: "
                + Arrays.stream(values()).map(StoreTable::sqlName).collect(Collectors.joining(", ")));
    }
}
