package dev.millrace.core.audit;

import dev.millrace.core.window.DeadLetter;
import org.jspecify.annotations.Nullable;

/** Counts dead letters as they come, in order of partition, then position; each position once. Not thread-safe. */
final class DeadLetterOrder {
    private final AuditResult.Builder result;
    private @Nullable DeadLetter last;

    DeadLetterOrder(AuditResult.Builder result) {
        this.result = result;
    }

    /** Counts it, but for a late one, which may be another generator's; true when it is one of those that was not there before. */
    boolean isLate(DeadLetter letter) {
        if (isRepeated(letter)) {
            result.deadLettersDoubled++;
            result.example(() -> place(letter) + " is there twice");
            return false;
        }
        last = letter;
        switch (letter.reason()) {
            case UNDECODABLE -> result.undecodable++;
            case LATE -> {}
            // Not the generator's; were it, its reading would be lost, and counted so.
            case FUTURE -> {}
        }
        return letter.reason() == DeadLetter.Reason.LATE;
    }

    /** Says that a late one is not what the ledger has. */
    void contradicts(DeadLetter letter, String problem) {
        result.different++;
        result.example(() -> place(letter) + " " + problem);
    }

    private boolean isRepeated(DeadLetter letter) {
        if (last == null || last.partition() != letter.partition()) {
            if (last != null && last.partition() > letter.partition()) {
                throw new IllegalArgumentException(place(letter) + " is out of order");
            }
            return false;
        }
        int order = last.position().compareTo(letter.position());
        if (order > 0) {
            throw new IllegalArgumentException(place(letter) + " is out of order");
        }
        return order == 0;
    }

    private static String place(DeadLetter letter) {
        return "dead letter " + letter.partition() + "/" + letter.position();
    }
}
