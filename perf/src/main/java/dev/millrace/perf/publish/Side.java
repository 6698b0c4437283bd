package dev.millrace.perf.publish;

import java.util.Locale;

/** Who publishes. */
enum Side {
    /** The generator's process, with the plugin's publisher. */
    GENERATOR,
    /** The plugin's publisher alone, with payloads made beforehand, as a load tool has its client's. */
    PUBLISHER,
    /** The load tool of the broker's own project. */
    TOOL;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
