package dev.millrace.brokers.memory;

import dev.millrace.connectors.api.broker.Broker;
import dev.millrace.connectors.testkit.broker.BrokerContract;
import dev.millrace.core.settings.Options;
import java.util.Map;

/** The server inside the test's process: the whole contract without a child process. */
class MemoryContractTest extends BrokerContract {
    @Override
    protected Broker broker() {
        return new MemoryBroker();
    }

    @Override
    protected Options localOptions() {
        return Options.of(Map.of("in-process", "true", "memory", "512MiB"));
    }
}
