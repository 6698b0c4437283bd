/**
 * What a reading is and how it travels: the Avro schema, the chunk of payloads that a broker's plugin hands over, and
 * the decoder from bytes to columns. No windows, no broker.
 */
package dev.millrace.core.reading;
