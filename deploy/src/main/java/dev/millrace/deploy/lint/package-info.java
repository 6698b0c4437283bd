/**
 * What {@code millrace lint} does beyond what plugins offer: reading a person's file, finding out of which kind it is, and the kind of
 * Flink's own files. How findings are printed lives with the command.
 */
package dev.millrace.deploy.lint;
