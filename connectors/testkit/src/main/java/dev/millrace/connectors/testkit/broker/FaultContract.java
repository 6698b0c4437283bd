package dev.millrace.connectors.testkit.broker;

/**
 * The part of the contract that is about faults. It mostly waits, for a server that is silent above all, so it is a class of its
 * own that runs beside {@link BrokerContract}, on a server of its own.
 */
public abstract class FaultContract extends Served implements FaultChapter {}
