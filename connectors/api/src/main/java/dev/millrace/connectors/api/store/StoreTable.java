package dev.millrace.connectors.api.store;

/** The two tables of a store. */
public enum StoreTable {
    WINDOWS("windows"),
    DEAD_LETTERS("dead_letters");

    private final String sqlName;

    StoreTable(String sqlName) {
        this.sqlName = sqlName;
    }

    public String sqlName() {
        return sqlName;
    }

    /** The table of that name; IllegalArgumentException when there is none. */
    public static StoreTable ofSqlName(String name) {
        for (StoreTable table : values()) {
            if (table.sqlName.equals(name)) {
                return table;
            }
        }
        throw new IllegalArgumentException("there is no table '" + name + "'; there are: windows, dead_letters");
    }
}
