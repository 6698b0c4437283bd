package dev.millrace.connectors.generator;

/** What {@code GET /state} says; the wire name is the constant in lower case with hyphens. */
enum GeneratorState {
    STARTING,
    RECOVERING,
    RUNNING,
    PAUSED,
    PAUSED_DISK,
    COMPLETE;

    String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
