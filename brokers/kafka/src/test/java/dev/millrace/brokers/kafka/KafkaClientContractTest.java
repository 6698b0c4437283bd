package dev.millrace.brokers.kafka;

import dev.millrace.connectors.testkit.broker.ClientContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaClientContractTest extends ClientContract implements KafkaSubject {}
