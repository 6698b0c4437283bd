package dev.millrace.brokers.memory.log;

/** The request cannot be met; the message goes to the client. */
final class WrongRequestException extends RuntimeException {
    private final byte status;

    WrongRequestException(byte status, String sentence) {
        super(sentence);
        this.status = status;
    }

    byte status() {
        return status;
    }
}
