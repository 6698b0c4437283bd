/**
 * The processes of {@code perf/baselines} as seen from here: which variants there are, where their jars lie, how they are started,
 * told what to do and stopped. What is measured with them is in the packages beside this one.
 */
package dev.millrace.perf.variant;
