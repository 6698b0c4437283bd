package dev.millrace.brokers.kafka;

import dev.millrace.connectors.testkit.broker.FaultContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaFaultTest extends FaultContract implements KafkaSubject {}
