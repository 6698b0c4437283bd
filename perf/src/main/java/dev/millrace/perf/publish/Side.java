package dev.millrace.perf.publish;

import java.util.Locale;

/** Who publishes. */
enum Side {
    /** The generator's process, with the plugin's publisher. */
    OURS,
    /** The load tool of the broker's own project. */
    TOOL;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
