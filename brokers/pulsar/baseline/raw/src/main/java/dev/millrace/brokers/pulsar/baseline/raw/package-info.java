/** What benchmarks compare the plugin with: its client in a loop, message by message, and Pulsar's own load tool. Nothing of Flink is here. */
package dev.millrace.brokers.pulsar.baseline.raw;
