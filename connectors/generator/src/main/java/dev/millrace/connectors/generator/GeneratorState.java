package dev.millrace.connectors.generator;

/** What {@code GET /state} says; the wire name is the constant in lower case with hyphens. */
enum GeneratorState {
    STARTING,
    RECOVERING,
    RUNNING,
    PAUSED,
    PAUSED_DISK,
    COMPLETE;

    /** Whether it is known what was sent before this start. */
    boolean knowsLedger() {
        return this != STARTING && this != RECOVERING;
    }

    String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
