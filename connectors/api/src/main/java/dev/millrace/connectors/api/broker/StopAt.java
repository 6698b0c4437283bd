package dev.millrace.connectors.api.broker;

/** Whether a source ends. */
public enum StopAt {
    /** Reads on for ever. */
    NEVER,
    /** Ends at what was each partition's end when the source started; an empty partition ends at once. */
    END
}
