package dev.millrace.brokers.memory;

import dev.millrace.connectors.testkit.broker.BrokerContract;

class MemoryContractTest extends BrokerContract implements MemorySubject {}
