/**
 * Looking at a stack that runs: what Flink's REST interface, the generator, the store and the operating system say of it, put
 * together into one status, and how that is printed; and the notes that audits and benchmarks leave for it. Changes nothing else;
 * starting and stopping live elsewhere.
 */
package dev.millrace.deploy.look;
