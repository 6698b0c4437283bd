package dev.millrace.core.window;

import dev.millrace.core.reading.Position;
import java.util.Arrays;

/**
 * A payload that is in no window, with the reason and the place where it was read; nothing vanishes.
 *
 * @param eventTime epoch milliseconds from the payload; the broker's timestamp when it could not be decoded, or lies too far ahead:
 *     letters are kept as long as windows, and by a clock that is years ahead they would go at once or never
 */
public record DeadLetter(Reason reason, int partition, Position position, long eventTime, byte[] payload) {

    /** Why a payload is in no window. */
    public enum Reason {
        /** Its slice of event time was closed when it was read. */
        LATE,
        /** It is not a reading by the schema. */
        UNDECODABLE,
        /** Its event time is further ahead of the time at which the broker took it than clocks go wrong. */
        FUTURE
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof DeadLetter other
                && reason == other.reason
                && partition == other.partition
                && position.equals(other.position)
                && eventTime == other.eventTime
                && Arrays.equals(payload, other.payload);
    }

    @Override
    public int hashCode() {
        return position.hashCode() * 31 + partition;
    }
}
