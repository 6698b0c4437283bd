package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Counts receipts, and times some payloads from the call that first offers them to their receipt. Used by one thread, as every
 * publisher.
 */
final class MeasuredPublisher implements Publisher {
    private final Publisher publisher;
    private final PublishMeter meter;

    private long number;

    /** When the payload that was not taken was first offered: a load tool's call waits instead, and counts the wait. */
    private long waitingSince;

    private boolean waiting;

    /** Of the last receipt that was not timed: who offers with one for all gets one for all, as without a meter. */
    private @Nullable Counted counted;

    MeasuredPublisher(Publisher publisher, PublishMeter meter) {
        this.publisher = publisher;
        this.meter = meter;
    }

    @Override
    public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
        boolean taken =
                publisher.offer(key, value, eventTimeMillis, meter.isTimed(number) ? timed(receipt) : counted(receipt));
        if (taken) {
            number++;
            waiting = false;
        }
        return taken;
    }

    private Receipt timed(Receipt receipt) {
        if (!waiting) {
            waiting = true;
            waitingSince = meter.offering();
        }
        return new Timed(receipt, meter, waitingSince);
    }

    private Receipt counted(Receipt receipt) {
        if (counted == null || counted.receipt != receipt) {
            counted = new Counted(receipt, meter);
        }
        return counted;
    }

    @Override
    public boolean flush(Duration timeout) {
        return publisher.flush(timeout);
    }

    @Override
    public int largestPayloadBytes() {
        return publisher.largestPayloadBytes();
    }

    @Override
    public void close() {
        publisher.close();
    }

    /** Many payloads may have the same one. */
    private static class Counted implements Receipt {
        private final Receipt receipt;
        private final PublishMeter meter;

        private Counted(Receipt receipt, PublishMeter meter) {
            this.receipt = receipt;
            this.meter = meter;
        }

        @Override
        public void stored(int partition, Position position) {
            // The generator's own books first: whoever waits for the meter may end the process.
            receipt.stored(partition, position);
            count(meter);
        }

        void count(PublishMeter receipts) {
            receipts.stored();
        }

        @Override
        public void refused(String sentence) {
            receipt.refused(sentence);
        }

        @Override
        public void unknown(String sentence) {
            receipt.unknown(sentence);
        }
    }

    private static final class Timed extends Counted {
        private final long offered;

        private Timed(Receipt receipt, PublishMeter meter, long offered) {
            super(receipt, meter);
            this.offered = offered;
        }

        @Override
        void count(PublishMeter receipts) {
            receipts.stored(offered);
        }
    }
}
