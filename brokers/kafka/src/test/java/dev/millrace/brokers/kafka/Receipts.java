package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it was told. */
final class Receipts implements Publisher.Receipt {
    final List<Position> stored = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final List<String> unknown = new CopyOnWriteArrayList<>();

    @Override
    public void stored(int partition, Position position) {
        stored.add(position);
    }

    @Override
    public void refused(String sentence) {
        refused.add(sentence);
    }

    @Override
    public void unknown(String sentence) {
        unknown.add(sentence);
    }
}
