package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Publisher;
import java.time.Duration;

/** A publisher that does what another does. */
class WrappedPublisher implements Publisher {
    private final Publisher working;

    WrappedPublisher(Publisher working) {
        this.working = working;
    }

    @Override
    public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
        return working.offer(key, value, eventTimeMillis, receipt);
    }

    @Override
    public boolean flush(Duration timeout) {
        return working.flush(timeout);
    }

    @Override
    public int largestPayloadBytes() {
        return working.largestPayloadBytes();
    }

    @Override
    public void close() {
        working.close();
    }
}
