/**
 * Whether one quantity grew or fell over a long phase of one run: blocks, a test, a slope. Not what is measured, and nothing that
 * compares runs.
 */
package dev.millrace.perf.trend;
