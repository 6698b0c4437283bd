package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.testkit.broker.FaultContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PulsarFaultTest extends FaultContract implements PulsarSubject {}
