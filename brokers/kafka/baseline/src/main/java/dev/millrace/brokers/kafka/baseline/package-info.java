/**
 * What benchmarks compare the plugin with: the official connector's own reader, a consumer in a loop, and Kafka's own load tool.
 * All are set by the plugin's options and stand on its client; nothing of a stack is here.
 */
package dev.millrace.brokers.kafka.baseline;
