/**
 * Reads topics by whole record batches: Kafka's own consumer up to the batch, chunks from there on, with no object for each
 * record. Where to read and how far is settled by the readers outside (ADR 0001 of this module).
 */
@NullMarked
package dev.millrace.brokers.kafka.batch;

import org.jspecify.annotations.NullMarked;
