/**
 * Kafka as a plugin: options, client, publisher and subscriber, the local server, and the chunk source that stands on the
 * official connector's enumerator and splits. Nothing here decodes a reading, and nothing outside this folder knows it.
 */
package dev.millrace.brokers.kafka;
