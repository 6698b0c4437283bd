package dev.millrace.brokers.kafka;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broker.BrokerContract;
import dev.millrace.core.settings.Options;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaContractTest extends BrokerContract {
    @Override
    protected Broker broker() {
        return new KafkaBroker();
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("memory", "512MiB"));
    }
}
