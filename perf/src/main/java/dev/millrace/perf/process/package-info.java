/**
 * JVMs that the rig starts beside a stack and tells what to do. What they do, and what is measured of it, is in the packages that
 * start them.
 */
package dev.millrace.perf.process;
