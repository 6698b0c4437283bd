package dev.millrace.brokers.memory;

import dev.millrace.connectors.testkit.broker.FaultContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class ServedMemoryFaultTest extends FaultContract implements ServedMemorySubject {}
