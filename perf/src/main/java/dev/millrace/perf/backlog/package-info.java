/**
 * How fast a whole stack drains a topic that was filled before: broker, job and store, checkpoints on, exactly once. The
 * stack is brought up and audited by the same commands that people use.
 */
package dev.millrace.perf.backlog;
