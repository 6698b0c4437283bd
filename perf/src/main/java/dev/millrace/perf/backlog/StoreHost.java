package dev.millrace.perf.backlog;

import dev.millrace.connectors.api.store.ResultStores;
import dev.millrace.connectors.api.store.ServedStore;
import dev.millrace.core.settings.Options;
import dev.millrace.core.settings.UserException;
import dev.millrace.perf.process.Orders;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The process of {@link DrainStores}: opens and closes stores as its {@link Orders} say. */
final class StoreHost {
    static final String OPEN = "open";
    static final String CLOSE = "close";
    static final String STORE = "store";
    static final String DIRECTORY = "directory";

    private final Map<String, ServedStore> open = new HashMap<>();

    private StoreHost() {}

    public static void main(String[] arguments) {
        Orders.obey(new StoreHost()::obey);
    }

    private Map<String, String> obey(String name, Map<String, String> order) {
        String directory = order.get(DIRECTORY);
        switch (name) {
            case OPEN -> {
                ServedStore store = ResultStores.named(order.get(STORE)).serve(Path.of(directory), Options.none());
                open.put(directory, store);
                return store.options().asMap();
            }
            case CLOSE -> {
                open.remove(directory).close();
                return Map.of();
            }
            default -> throw new UserException("there is no order '" + name + "'");
        }
    }
}
