/** Which runs a benchmark has, in what order, and the result that they make. How one run is made is in {@code run}. */
package dev.millrace.perf.comparison;
