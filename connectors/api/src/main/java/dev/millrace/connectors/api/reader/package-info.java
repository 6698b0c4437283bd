/**
 * What every plugin's chunk reader for Flink is built on: the reader itself, packing payloads into chunks, when an end is
 * confirmed, and telling the broker the checkpointed positions. Fetching is the plugin's; nothing here knows a protocol.
 */
package dev.millrace.connectors.api.reader;
