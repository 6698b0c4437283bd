/**
 * The kinds of Kafka's settings files that {@code millrace lint} checks: the broker's, by the classes of the server, those of a
 * topic likewise, and those of the clients, by the client library of this plugin.
 */
package dev.millrace.brokers.kafka.lint;
