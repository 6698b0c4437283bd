/**
 * What the instances cost on which a benchmark ran: price files, each price with its source and its date, and what follows from them
 * for a run. No price is in the code.
 */
package dev.millrace.perf.cost;
