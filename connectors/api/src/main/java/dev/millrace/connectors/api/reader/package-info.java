/**
 * What every plugin's source of chunks for Flink is built on: the reader itself, packing payloads into chunks, when an end is
 * confirmed, telling the broker the checkpointed positions; and splits and an enumerator for brokers whose client brings none.
 * Fetching is the plugin's; nothing here knows a protocol.
 */
package dev.millrace.connectors.api.reader;
