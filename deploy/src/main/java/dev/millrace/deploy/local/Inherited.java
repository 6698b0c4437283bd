package dev.millrace.deploy.local;

import dev.millrace.core.settings.Options;
import java.util.Map;
import java.util.TreeMap;

/** What of a stack that is there goes on under settings that a person names: all that nobody names, where it still has a sense. */
final class Inherited {
    private Inherited() {}

    /**
     * The values of both together.
     *
     * @param asked with {@code named} in it and the defaults for the rest
     */
    static Options under(StackSettings asked, Options named, StackSettings there) {
        Map<String, String> full = new TreeMap<>(there.values().asMap());
        if (there.tumbles() && named.get("window").isPresent()) {
            full.remove("slide");
        }
        if (named.get("shape").isPresent() && asked.isSteady()) {
            full.remove("shape-rate");
        }
        if (named.get("results").isPresent() && !asked.resultsToTopic()) {
            full.remove("results-send-limit");
        }
        full.putAll(named.asMap());
        return Options.of(full);
    }
}
