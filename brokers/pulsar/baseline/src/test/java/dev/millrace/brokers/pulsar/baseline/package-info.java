/**
 * The official connector, held to our contract: it is the broken one that the sentences about kills and cut connections must
 * find. A module of its own, because its client (3.0) and the plugin's (4.0) do not share a class path.
 */
package dev.millrace.brokers.pulsar.baseline;
