/**
 * How fast a topic that was filled before is drained: once by a whole stack, brought up and audited by the same commands that
 * people use, then again and again by the variants of {@code perf/baselines}, interleaved, each in a process of its own, with new stores
 * that one more process serves. How a process drains and measures itself is theirs; starting, auditing and comparing them is here.
 */
package dev.millrace.perf.backlog;
