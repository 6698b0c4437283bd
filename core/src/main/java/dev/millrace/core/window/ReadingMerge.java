package dev.millrace.core.window;

import dev.millrace.core.reading.DecodedReading;
import java.io.Serializable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a subtask's readings before they cross the network: merged by key and slice, or handed on one by one. Not
 * thread-safe.
 */
public interface ReadingMerge {

    /** Takes the batch in; it is empty then, and nothing of its readings is kept that lies in a payload. */
    void add(ReadingBatch batch);

    /** Hands out one reading by itself, with its dead letter in case that its slice turns out to be closed. */
    void single(DecodedReading reading, long sliceEnd, @Nullable DeadLetter ifClosed);

    /** Hands out what it has of every slice that is closed when the watermark is {@code watermark}. */
    void flushClosed(long watermark);

    /** Hands out all that it has. */
    void flush();

    /** Makes one on each subtask. */
    interface Factory<P> extends Serializable {

        /** @param out gets every partial; it may be used again after that returns */
        ReadingMerge into(Consumer<P> out);
    }
}
