package dev.millrace.core.latest;

import dev.millrace.core.reading.DecodedReading;
import dev.millrace.core.window.DeadLetter;
import dev.millrace.core.window.ReadingBatch;
import dev.millrace.core.window.ReadingMerge;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands every reading on by itself: with hundreds of event types two of one device and type are seldom near each other, so there
 * is nothing to merge. The two names of a reading are made here because it is them that state is kept by.
 */
final class OneByOne implements ReadingMerge {
    private final Consumer<TypedReading> out;
    private final TypedReading typed = new TypedReading();

    OneByOne(Consumer<TypedReading> out) {
        this.out = out;
    }

    @Override
    public void add(ReadingBatch batch) {
        batch.drain((reading, sliceEnd) -> single(reading, sliceEnd, null));
    }

    @Override
    public void single(DecodedReading reading, long sliceEnd, @Nullable DeadLetter ifClosed) {
        typed.deviceId = reading.deviceId();
        typed.eventType =
                new String(reading.typeBytes(), reading.typeStart(), reading.typeLength(), StandardCharsets.UTF_8);
        typed.eventTime = reading.eventTime();
        typed.sliceEnd = sliceEnd;
        typed.ifClosed = ifClosed;
        out.accept(typed);
    }

    @Override
    public void flushClosed(long watermark) {}

    @Override
    public void flush() {}
}
