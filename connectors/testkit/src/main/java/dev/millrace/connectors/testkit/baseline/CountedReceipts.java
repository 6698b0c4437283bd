package dev.millrace.connectors.testkit.baseline;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what is stored, for payloads that may share it; anything else fails the thread that says so. Thread-safe. */
public record CountedReceipts(AtomicInteger stored) implements Publisher.Receipt {
    @Override
    public void stored(int partition, Position position) {
        stored.incrementAndGet();
    }

    @Override
    public void refused(String sentence) {
        throw new AssertionError(sentence);
    }

    @Override
    public void unknown(String sentence) {
        throw new AssertionError(sentence);
    }
}
