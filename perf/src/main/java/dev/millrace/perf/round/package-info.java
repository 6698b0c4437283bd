/** What all benchmarks in rounds share: what they are told, how they report, how they end. What they measure is beside this. */
package dev.millrace.perf.round;
