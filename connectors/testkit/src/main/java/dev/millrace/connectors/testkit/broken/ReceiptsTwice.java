package dev.millrace.connectors.testkit.broken;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.testkit.broker.WrappedClient;
import dev.millrace.core.reading.Position;
import dev.millrace.core.settings.Options;

/** Says of each payload twice that it is stored. */
public final class ReceiptsTwice extends Wrapped {
    public ReceiptsTwice(Broker working) {
        super(working);
    }

    @Override
    public BrokerClient connect(Options options) {
        return new WrappedClient(super.connect(options)) {
            @Override
            public Publisher publisher(String topic, String name) {
                return new Twice(super.publisher(topic, name));
            }
        };
    }

    private static final class Twice extends WrappedPublisher {
        private Twice(Publisher working) {
            super(working);
        }

        @Override
        public boolean offer(byte[] key, byte[] value, long eventTimeMillis, Receipt receipt) {
            return super.offer(key, value, eventTimeMillis, new Receipt() {
                @Override
                public void stored(int partition, Position position) {
                    receipt.stored(partition, position);
                    receipt.stored(partition, position);
                }

                @Override
                public void refused(String sentence) {
                    receipt.refused(sentence);
                }

                @Override
                public void unknown(String sentence) {
                    receipt.unknown(sentence);
                }
            });
        }
    }
}
