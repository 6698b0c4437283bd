package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.testkit.broker.ClientContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PulsarClientContractTest extends ClientContract implements PulsarSubject {}
