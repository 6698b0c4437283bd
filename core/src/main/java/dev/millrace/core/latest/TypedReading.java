package dev.millrace.core.latest;

import dev.millrace.core.window.DeadLetter;
import org.jspecify.annotations.Nullable;

/**
 * What this job needs of a reading, on its way from the decoder to the subtask of its device. Mutable and used again by the
 * sender: whoever keeps one copies it.
 */
final class TypedReading {
    String deviceId = "";
    String eventType = "";
    /** Epoch milliseconds. */
    long eventTime;
    /** Epoch milliseconds, exclusive. */
    long sliceEnd;
    /** Its dead letter, should its slice turn out to be closed; null where the sender knows that it is not. */
    @Nullable
    DeadLetter ifClosed;
}
