package dev.millrace.core.settings;

/** The person's input is wrong; the message says what, where, and what would be right. Exit code 2. */
public final class UserException extends RuntimeException {
    public UserException(String message) {
        super(message);
    }

    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
