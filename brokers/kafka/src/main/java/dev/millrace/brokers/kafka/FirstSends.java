package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.Publisher.Receipt;
import dev.millrace.core.reading.Position;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Until a partition has stored something of this producer, one record alone is on its way to it.
 *
 * <p>A broker that knows nothing of a producer takes any sequence number for its first (KAFKA-15591; so does 4.1). Of two
 * requests that follow each other it may refuse the first, because it is not yet told that it leads the new partition, and
 * store the second; from then on the first is out of order, the client tries it again for ever, and nothing behind it gets
 * through. With one record there is no second.
 *
 * <p>{@link #admit} and {@link #notTaken} are of the offering thread, receipts of the client's.
 */
final class FirstSends {
    private static final int UNTRIED = 0;
    private static final int TRIED = 1;
    private static final int STORED = 2;

    private final AtomicIntegerArray states;
    /** How many partitions have stored nothing yet: at 0, soon after the beginning, there is nothing more to look at. */
    private final AtomicInteger waiting;

    FirstSends(int partitions) {
        this.states = new AtomicIntegerArray(partitions);
        this.waiting = new AtomicInteger(partitions);
    }

    /** The receipt to send with; null when the partition's first record has no answer yet, and this one must wait. */
    @Nullable
    Receipt admit(int partition, Receipt receipt) {
        if (waiting.get() == 0 || states.get(partition) == STORED) {
            return receipt;
        }
        return states.compareAndSet(partition, UNTRIED, TRIED) ? new First(partition, receipt) : null;
    }

    /** What was admitted last was not taken by the client. */
    void notTaken(int partition) {
        states.compareAndSet(partition, TRIED, UNTRIED);
    }

    private final class First implements Receipt {
        private final int partition;
        private final Receipt receipt;

        private First(int partition, Receipt receipt) {
            this.partition = partition;
            this.receipt = receipt;
        }

        @Override
        public void stored(int storedIn, Position position) {
            states.set(partition, STORED);
            waiting.decrementAndGet();
            receipt.stored(storedIn, position);
        }

        @Override
        public void refused(String sentence) {
            states.set(partition, UNTRIED);
            receipt.refused(sentence);
        }

        @Override
        public void unknown(String sentence) {
            states.set(partition, UNTRIED);
            receipt.unknown(sentence);
        }
    }
}
