package dev.millrace.brokers.pulsar.baseline.raw;

import dev.millrace.brokers.pulsar.PulsarBroker;
import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.baseline.LoadToolContract;
import dev.millrace.core.settings.Options;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PulsarLoadToolServerTest extends LoadToolContract {
    @Override
    protected Broker broker() {
        return new PulsarBroker();
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("memory", "1GiB"));
    }
}
