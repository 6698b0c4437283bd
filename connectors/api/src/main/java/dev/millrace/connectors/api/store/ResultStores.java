package dev.millrace.connectors.api.store;

import dev.millrace.connectors.api.Named;
import java.util.List;

/** Finds a store by its name, by way of the thread's context class loader. */
public final class ResultStores {
    private ResultStores() {}

    /** The names on the class path, sorted. */
    public static List<String> names() {
        return Named.names(ResultStore.class, ResultStore::name);
    }

    /** The store of that name; a wrong name lists the ones there are, two of one name are refused. */
    public static ResultStore named(String name) {
        return Named.find(ResultStore.class, ResultStore::name, "store", name);
    }
}
