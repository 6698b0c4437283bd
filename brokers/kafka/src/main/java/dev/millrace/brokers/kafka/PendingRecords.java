package dev.millrace.brokers.kafka;

import java.util.concurrent.atomic.AtomicLong;

/** How many records stand before this reader: in the broker, as the last fetch told, and fetched but not yet emitted. */
final class PendingRecords {
    private final AtomicLong fetched = new AtomicLong();
    private volatile long inBroker;

    void inBroker(long records) {
        inBroker = records;
    }

    void fetched(int records) {
        fetched.addAndGet(records);
    }

    void emitted(int records) {
        fetched.addAndGet(-records);
    }

    long total() {
        return inBroker + fetched.get();
    }
}
