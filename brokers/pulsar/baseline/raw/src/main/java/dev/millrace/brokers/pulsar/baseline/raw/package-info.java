/** The plugin's client in a loop, message by message; what benchmarks compare the plugin with. Nothing of Flink is here. */
package dev.millrace.brokers.pulsar.baseline.raw;
