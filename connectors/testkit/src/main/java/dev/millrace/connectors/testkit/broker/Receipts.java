package dev.millrace.connectors.testkit.broker;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Collects receipts and remembers for each accepted offer how many it got. Thread-safe. */
final class Receipts {
    private final ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Slot> accepted = new ConcurrentLinkedQueue<>();

    /** Offers and remembers; whether it was accepted. */
    boolean offer(Publisher publisher, Message message) {
        Slot slot = new Slot(message);
        boolean taken = publisher.offer(message.keyBytes(), message.payload(), message.eventTimeMillis(), slot);
        if (taken) {
            accepted.add(slot);
        }
        return taken;
    }

    List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    List<Outcome> stored() {
        return outcomes.stream().filter(o -> o.kind() == Kind.STORED).toList();
    }

    int acceptedCount() {
        return accepted.size();
    }

    List<Message> accepted() {
        return accepted.stream().map(slot -> slot.message).toList();
    }

    /** Whether every accepted offer has at least one receipt. */
    boolean complete() {
        return accepted.stream().allMatch(slot -> slot.count.get() >= 1);
    }

    /** How many accepted offers have a number of receipts other than one. */
    long notExactlyOne() {
        return accepted.stream().filter(slot -> slot.count.get() != 1).count();
    }

    enum Kind {
        STORED,
        REFUSED,
        UNKNOWN
    }

    /** What one receipt said. */
    record Outcome(Message message, Kind kind, int partition, Position position, String sentence) {}

    private final class Slot implements Publisher.Receipt {
        private final Message message;
        private final AtomicInteger count = new AtomicInteger();

        private Slot(Message message) {
            this.message = message;
        }

        @Override
        public void stored(int partition, Position position) {
            outcomes.add(new Outcome(message, Kind.STORED, partition, position, ""));
            count.incrementAndGet();
        }

        @Override
        public void refused(String sentence) {
            outcomes.add(new Outcome(message, Kind.REFUSED, -1, null, sentence));
            count.incrementAndGet();
        }

        @Override
        public void unknown(String sentence) {
            outcomes.add(new Outcome(message, Kind.UNKNOWN, -1, null, sentence));
            count.incrementAndGet();
        }
    }
}
