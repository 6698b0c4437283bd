/**
 * How long after its due time a window's row leaves the windows of a variant, beside a stack whose generator goes on. How a process
 * counts that is {@code perf/baselines}'; starting, asking and comparing is here.
 */
package dev.millrace.perf.latency;
