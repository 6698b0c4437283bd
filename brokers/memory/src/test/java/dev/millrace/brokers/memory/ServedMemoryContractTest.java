package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broker.BrokerContract;
import dev.millrace.core.settings.Options;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The server as a process of its own. */
@Tag("server")
class ServedMemoryContractTest extends BrokerContract {
    @Override
    protected Broker broker() {
        return new MemoryBroker();
    }

    /** Its clients have no time-out that is longer. */
    @Override
    protected Duration silence() {
        return Duration.ofSeconds(10);
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("memory", "512MiB"));
    }
}
