package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.testkit.broker.WrappedClient;
import dev.millrace.core.settings.Options;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Each client that is closed leaves a thread for a minute. */
public final class LeavesAThreadBehind extends Wrapped {
    private static final long STAYS_NANOS = TimeUnit.MINUTES.toNanos(1);

    public LeavesAThreadBehind(Broker working) {
        super(working);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new WrappedClient(super.connect(options)) {
            @Override
            public void close() {
                super.close();
                long end = System.nanoTime() + STAYS_NANOS;
                Thread left = new Thread(
                        () -> {
                            while (System.nanoTime() < end) {
                                LockSupport.parkNanos(STAYS_NANOS);
                            }
                        },
                        "left-behind");
                left.setDaemon(true);
                left.start();
            }
        };
    }
}
