package dev.millrace.brokers.kafka;

import dev.millrace.connectors.testkit.broker.BrokerContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaContractTest extends BrokerContract implements KafkaSubject {}
