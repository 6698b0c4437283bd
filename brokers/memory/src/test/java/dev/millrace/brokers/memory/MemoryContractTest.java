package dev.millrace.brokers.memory;

import dev.millrace.connectors.testkit.broker.BrokerContract;
import org.junit.jupiter.api.Tag;

/** It starts no server, but waits for most of a minute: it does that where others run beside it. */
@Tag("server")
class MemoryContractTest extends BrokerContract implements MemorySubject {}
