/**
 * The official connector on its own client: what benchmarks compare the plugin with, and, held to our contract, the broken one
 * that the sentences about kills must find. A module of its own, because its client (3.0) and the plugin's (4.0) do not share a
 * class path; of the plugin only the options are used here.
 */
package dev.millrace.brokers.pulsar.baseline.official;
