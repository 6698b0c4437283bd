/**
 * A stack that is up and being measured: how it and its processes are looked at, in which phase it is, how a run is interrupted.
 * Judges nothing.
 */
package dev.millrace.perf.run.stage;
