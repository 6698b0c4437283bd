package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.testkit.broker.WrappedClient;
import dev.millrace.core.settings.Options;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits up to two seconds for room before it says that there is none. */
public final class BlocksInOffer extends Wrapped {
    private static final long WAITS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    public BlocksInOffer(Broker working) {
        super(working);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new WrappedClient(super.connect(options)) {
            @Override
            public Publisher publisher(String topic, String name) {
                return new Blocking(super.publisher(topic, name));
            }
        };
    }

    private static final class Blocking extends WrappedPublisher {
        private Blocking(Publisher working) {
            super(working);
        }

        @Override
        public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
            long end = System.nanoTime() + WAITS_NANOS;
            while (!super.offer(key, value, eventTimeMillis, receipt)) {
                if (System.nanoTime() > end) {
                    return false;
                }
                LockSupport.parkNanos(STEP_NANOS);
            }
            return true;
        }
    }
}
