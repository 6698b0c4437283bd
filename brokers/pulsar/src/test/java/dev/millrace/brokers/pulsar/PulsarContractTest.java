package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broker.BrokerContract;
import dev.millrace.core.settings.Options;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PulsarContractTest extends BrokerContract {
    @Override
    protected Broker broker() {
        return new PulsarBroker();
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("memory", "1GiB"));
    }
}
