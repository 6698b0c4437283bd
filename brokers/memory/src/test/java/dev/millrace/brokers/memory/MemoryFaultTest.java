package dev.millrace.brokers.memory;

import dev.millrace.connectors.testkit.broker.FaultContract;
import org.junit.jupiter.api.Tag;

/** As {@link MemoryContractTest}, it waits. */
@Tag("server")
class MemoryFaultTest extends FaultContract implements MemorySubject {}
