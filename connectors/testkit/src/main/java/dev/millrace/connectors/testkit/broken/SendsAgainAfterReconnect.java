package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.testkit.broker.WrappedClient;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;

/** After a connection has been lost its publisher sends its last payload again, as one that the broker cannot know. */
public final class SendsAgainAfterReconnect extends Wrapped {
    public SendsAgainAfterReconnect(Broker working) {
        super(working);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new WrappedClient(super.connect(options)) {
            @Override
            public Publisher publisher(String topic, String name) {
                return new Resending(super.publisher(topic, name), new Canary(options));
            }
        };
    }

    private static final class Resending extends WrappedPublisher {
        private static final int LOOK_EVERY = 100;

        private final Canary canary;
        private int offers;

        private Resending(Publisher working, Canary canary) {
            super(working);
            this.canary = canary;
        }

        @Override
        public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
            boolean accepted = super.offer(key, value, eventTimeMillis, receipt);
            if (accepted && ++offers % LOOK_EVERY == 0 && canary.hasDied()) {
                super.offer(key, value, eventTimeMillis, new Unheard());
            }
            return accepted;
        }

        @Override
        public void close() {
            canary.close();
            super.close();
        }
    }

    /** Nobody asked for this one's receipt. */
    private static final class Unheard implements Publisher.Receipt {
        @Override
        public void stored(int partition, Position position) {}

        @Override
        public void refused(String sentence) {}

        @Override
        public void unknown(String sentence) {}
    }
}
