package dev.millrace.brokers.pulsar;

import dev.millrace.core.reading.Position;

/**
 * A position is {@code (ledger, entry and index)}: a ledger's entries are numbered from 0, and so are the messages of a batch,
 * which is one entry. A message that was not sent in a batch has index 0.
 */
final class PulsarPositions {
    /** The index takes the low 24 bits: the largest entry a broker takes (5 MiB) holds fewer messages than that. */
    private static final int INDEX_BITS = 24;

    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

    /** Where a partition begins and ends that holds no message. */
    static final Position NOTHING = new Position(0, 0);

    private PulsarPositions() {}

    /** The position of a message; an index below 0, which the client gives to a message without batch, is 0. */
    static Position of(long ledger, long entry, int index) {
        return new Position(ledger, minor(entry, index));
    }

    /** {@link Position#minor()} of the message {@code index} of {@code entry}. */
    static long minor(long entry, int index) {
        return entry << INDEX_BITS | Math.max(0, index);
    }

    /** Behind the whole entry: where the next one begins, in whichever ledger that is. */
    static Position behind(long ledger, long entry) {
        return new Position(ledger, minor(entry + 1, 0));
    }

    static long ledger(Position position) {
        return position.major();
    }

    static long entry(Position position) {
        return position.minor() >> INDEX_BITS;
    }

    static int index(Position position) {
        return (int) (position.minor() & INDEX_MASK);
    }
}
