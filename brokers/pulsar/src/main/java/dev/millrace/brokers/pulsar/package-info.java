/**
 * Pulsar as a plugin: options, client, publisher and subscriber, the local server, and a chunk source that reads whole entries.
 * Nothing here decodes a reading, and nothing outside this folder knows it.
 */
package dev.millrace.brokers.pulsar;
