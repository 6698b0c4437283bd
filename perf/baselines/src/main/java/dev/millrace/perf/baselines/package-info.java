/**
 * The process that drains one topic in one way and measures itself, and the ways there are: the product's job, the same reader,
 * decoder and table without Flink, straightforward jobs on the official connectors, the client's bare loop. No broker is named
 * here: what names one lies in that broker's folder. Beside them the process that publishes: the generator with a meter around its
 * publisher. Who starts these processes and compares them is {@code dev.millrace.perf.backlog} and its neighbours.
 */
package dev.millrace.perf.baselines;
