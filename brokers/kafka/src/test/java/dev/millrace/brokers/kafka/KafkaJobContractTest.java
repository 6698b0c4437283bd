package dev.millrace.brokers.kafka;

import dev.millrace.connectors.testkit.broker.JobContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaJobContractTest extends JobContract implements KafkaSubject {}
