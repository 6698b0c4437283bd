package dev.millrace.core.reading;

import java.io.Serializable;

/**
 * Where one record stands in its partition; ordered as the partition is.
 *
 * <p>What the two numbers mean is the broker's business: a log with plain offsets uses {@code (0, offset)}, one with
 * ledgers uses {@code (ledger, entry and batch index)}. Nobody but the plugin may compute with them.
 */
public record Position(long major, long minor) implements Comparable<Position>, Serializable {

    /** Parses what {@link #toString()} printed; throws {@link IllegalArgumentException} on anything else. */
    public static Position parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("position '" + text + "' is not of the form MAJOR:MINOR");
        }
        return new Position(Long.parseLong(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
    }

    @Override
    public int compareTo(Position other) {
        int byMajor = Long.compare(major, other.major);
        return byMajor != 0 ? byMajor : Long.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + ":" + minor;
    }
}
