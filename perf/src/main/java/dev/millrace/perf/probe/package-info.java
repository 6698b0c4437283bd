/** What can be read of a stack's processes and of the machine while they run. What follows from it is in other packages. */
package dev.millrace.perf.probe;
