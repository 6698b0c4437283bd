package dev.millrace.perf.baselines;

import dev.millrace.connectors.api.broker.BrokerClient;
import dev.millrace.connectors.api.broker.Publisher;
import dev.millrace.connectors.testkit.broker.WrappedClient;

/** A client whose publishers are measured; all else is as it was. */
final class MeasuredClient extends WrappedClient {
    private final PublishMeter meter;

    MeasuredClient(BrokerClient client, PublishMeter meter) {
        super(client);
        this.meter = meter;
    }

    @Override
    public Publisher publisher(String topic, String name) {
        return new MeasuredPublisher(super.publisher(topic, name), meter);
    }
}
