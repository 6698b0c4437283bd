/**
 * What the instances cost on which a benchmark ran, and what follows from that for a run. Prices and their files are deploy's.
 */
package dev.millrace.perf.cost;
