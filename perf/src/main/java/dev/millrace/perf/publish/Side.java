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

    /** Whether it can keep a rate: the publisher has none of its own, pacing is the generator's. */
    boolean isPaced() {
        return this != PUBLISHER;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
