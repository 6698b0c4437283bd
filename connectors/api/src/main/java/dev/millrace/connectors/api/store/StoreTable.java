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
}
