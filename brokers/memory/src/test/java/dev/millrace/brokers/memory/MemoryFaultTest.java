package dev.millrace.brokers.memory;

import dev.millrace.connectors.testkit.broker.FaultContract;

class MemoryFaultTest extends FaultContract implements MemorySubject {}
