/**
 * What the machine does by itself, in a few seconds before the first run: its disk and its loopback network. What is made of
 * these figures is in other packages.
 */
package dev.millrace.perf.baseline;
