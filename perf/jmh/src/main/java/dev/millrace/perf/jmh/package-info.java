/**
 * What single steps of the fast path cost, by JMH, in nanoseconds and bytes for each reading: decoder, table, chunk reader and
 * the serializer of partials, each beside a {@code baseline()} that does the same in the usual way. Whole runs with a broker
 * are not here.
 */
package dev.millrace.perf.jmh;
