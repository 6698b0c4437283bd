/**
 * One result held against another, later one: what must be alike, what changed, what is said of it. Not how subjects of the same
 * result are compared, and not the statistics.
 */
package dev.millrace.perf.change;
