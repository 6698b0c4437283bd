/**
 * What results of benchmarks say of one core: CPU seconds per reading, turned round, for whoever derives the size of a deployment.
 * The file and what is derived from it are in {@code deploy}; measuring is the other packages'. No broker is named here.
 */
package dev.millrace.perf.sizing;
