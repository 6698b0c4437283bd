package dev.millrace.core.settings;

/**
 * The machine or a server does not allow it (disk, port, broker, store); the message says what, where, and what would
 * help. Exit code 3.
 */
public final class EnvironmentException extends RuntimeException {
    public EnvironmentException(String message) {
        super(message);
    }

    public EnvironmentException(String message, Throwable cause) {
        super(message, cause);
    }
}
