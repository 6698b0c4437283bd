package dev.millrace.brokers.memory;

import dev.millrace.connectors.testkit.broker.BrokerContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class ServedMemoryContractTest extends BrokerContract implements ServedMemorySubject {}
