/**
 * What the sections of a scenario add to a run, one class for each with what it finds: a backlog, a burst, groups of readers, a trend;
 * and what is watched in every run. The rest of the run sees {@code Exercises} only.
 */
package dev.millrace.perf.run.exercise;
