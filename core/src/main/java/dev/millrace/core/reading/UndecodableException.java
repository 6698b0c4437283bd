package dev.millrace.core.reading;

/** A payload is not a reading by the schema. Carries no stack trace: it may come once per record. */
public final class UndecodableException extends Exception {
    public UndecodableException(String message) {
        super(message, null, false, false);
    }
}
