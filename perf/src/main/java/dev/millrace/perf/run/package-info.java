/**
 * One run of a scenario on one broker: a new stack, a warm-up, the measured phase, the audit, and the gates that say whether the
 * run is valid. What a run works on is in {@code stage}, what a scenario's sections add to it in {@code exercise}. Which runs there
 * are and in what order is not decided here.
 */
package dev.millrace.perf.run;
