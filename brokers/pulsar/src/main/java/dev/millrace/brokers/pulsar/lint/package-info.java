/**
 * The kinds of settings files of Pulsar's servers that {@code millrace lint} checks: broker, bookie, both in one process, and the
 * bookie's RocksDB; by the classes and the shipped files of the distribution that the build has fetched.
 */
package dev.millrace.brokers.pulsar.lint;
