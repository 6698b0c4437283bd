package dev.millrace.connectors.api.broker;

/** What a broker can do beyond the minimum. Declared means it works; not declared means it is refused with a sentence. */
public enum Capability {
    /** Readings that were acknowledged are still there after the server was killed and started again. */
    SURVIVES_KILL,
    /** A topic's number of partitions can be raised while it is read. */
    ADDS_PARTITIONS,
    /** Payloads can be stored compressed (option {@code compression}). */
    COMPRESSES,
    /** A retried send is stored once even when the server was killed in between. */
    IDEMPOTENT_OVER_KILL
}
