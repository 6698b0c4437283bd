/**
 * What benchmarks compare the plugin with: the official connector's own reader, and a consumer in a loop. Both are set by the
 * plugin's options and stand on its client; nothing of a stack is here.
 */
package dev.millrace.brokers.kafka.baseline;
