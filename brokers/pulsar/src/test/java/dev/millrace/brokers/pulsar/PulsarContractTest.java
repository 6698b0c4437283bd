package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.testkit.broker.BrokerContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PulsarContractTest extends BrokerContract implements PulsarSubject {}
