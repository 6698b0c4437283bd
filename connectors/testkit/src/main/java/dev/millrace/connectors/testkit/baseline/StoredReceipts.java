package dev.millrace.connectors.testkit.baseline;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.util.function.Consumer;

/**
 * The receipt of payloads that are all to be stored, and may share it; anything else fails the thread that says so. As thread-safe as
 * what it tells.
 *
 * @param each is told where each is stored
 */
public record StoredReceipts(Consumer<Position> each) implements Publisher.Receipt {
    @Override
    public void stored(int partition, Position position) {
        each.accept(position);
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
