package dev.millrace.connectors.api.broker;

import dev.millrace.connectors.api.Named;
import java.util.List;

/** Finds a broker by its name, by way of the thread's context class loader. */
public final class Brokers {
    private Brokers() {}

    /** The names on the class path, sorted. */
    public static List<String> names() {
        return Named.names(Broker.class, Broker::name);
    }

    /** The broker of that name; a wrong name lists the ones there are, two of one name are refused. */
    public static Broker named(String name) {
        return Named.find(Broker.class, Broker::name, "broker", name);
    }
}
