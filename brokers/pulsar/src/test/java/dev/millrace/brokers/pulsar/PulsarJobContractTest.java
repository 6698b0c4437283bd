package dev.millrace.brokers.pulsar;

import dev.millrace.connectors.testkit.broker.JobContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class PulsarJobContractTest extends JobContract implements PulsarSubject {}
