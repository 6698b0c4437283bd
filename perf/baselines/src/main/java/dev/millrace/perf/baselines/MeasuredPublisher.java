package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.core.reading.Position;
import java.time.Duration;

/** Times every payload from the call that first offers it to its receipt. Used by one thread, as every publisher. */
final class MeasuredPublisher implements Publisher {
    private final Publisher publisher;
    private final PublishMeter meter;

    /** When the payload that was not taken was first offered: a load tool's call waits instead, and counts the wait. */
    private long waitingSince;

    private boolean waiting;

    MeasuredPublisher(Publisher publisher, PublishMeter meter) {
        this.publisher = publisher;
        this.meter = meter;
    }

    @Override
    public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
        long offered = waiting ? waitingSince : meter.offering();
        boolean taken = publisher.offer(key, value, eventTimeMillis, new Timed(receipt, meter, offered));
        if (!taken) {
            waiting = true;
            waitingSince = offered;
        } else if (waiting) {
            waiting = false;
        }
        return taken;
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

    private record Timed(Receipt receipt, PublishMeter meter, long offered) implements Receipt {
        @Override
        public void stored(int partition, Position position) {
            // The generator's own books first: whoever waits for the meter may end the process.
            receipt.stored(partition, position);
            meter.stored(offered);
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
}
