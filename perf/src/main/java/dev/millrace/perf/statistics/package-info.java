/**
 * What the runs of a benchmark let one say about two subjects, and those of two benchmarks about one: pairs, intervals, verdicts and
 * their sentences. Not how a run is measured or found valid, and nothing of what happens inside one.
 */
package dev.millrace.perf.statistics;
