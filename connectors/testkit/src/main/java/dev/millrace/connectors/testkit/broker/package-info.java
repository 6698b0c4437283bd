/**
 * The contract that every broker's plugin is held to, as sentences that are tests; {@link
 * dev.millrace.connectors.testkit.broker.BrokerContract} (or its two halves) and {@link
 * dev.millrace.connectors.testkit.broker.FaultContract} are what a plugin extends. No broker is named here and none is needed to compile it; what a store owes is not here.
 */
package dev.millrace.connectors.testkit.broker;
