/**
 * What a burst of rows takes: when the rows of a window come to the result topic, whether all of them do, and how sends of the same
 * rows compare that are arranged in other ways, each made by a process of its own. What a run makes of it is in {@code perf.run}.
 */
package dev.millrace.perf.burst;
